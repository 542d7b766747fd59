import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { ok } from "../../../src/core/base/result.ts";
import { judgeCoordination, readCoordination } from "../../../src/core/capsule/coordination.ts";
import { readReceiptSession, writeReceipt } from "../../../src/core/capsule/receipt.ts";
import { identifyBoot } from "../../../src/core/capsule/session-identity.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { newTree, NOW } from "./support/memory.ts";

const MEANS = { clock: fixedClock(NOW), patience: steadyPatience(100) };

describe("which session this is", () => {
  it("is the hook's id alone, with what the receipt says to it", () => {
    expect(identifyBoot(" H ", "H")).toMatchObject({ session_id: "H", receipt_check: "match" });
    expect(identifyBoot("H", "R")).toMatchObject({
      session_id: "H",
      receipt_check: "mismatch",
      receipt_session_id: "R",
      source: expect.stringContaining("disagrees"),
    });
    expect(identifyBoot("H", undefined)).toMatchObject({
      session_id: "H",
      receipt_check: "receipt-unavailable",
    });
  });

  it.each([undefined, "", "  ", 5, true, {}, ["H"], null])(
    "is nobody for the id %j, whatever the receipt",
    (id) => {
      expect(identifyBoot(id, "R")).toBeNull();
    },
  );
});

describe("the boot receipt", () => {
  it("counts the boots", () => {
    const tree = newTree();
    const first = writeReceipt(tree, { session: "a", source: "startup" }, MEANS);
    expect(first).toEqual(
      ok({
        receipt: {
          boot_sequence: 0,
          session_id: "a",
          source: "startup",
          observed_at: "2026-11-30T12:00:00.000Z",
        },
        restarted: "there was no former receipt to go on from",
      }),
    );
    expect(writeReceipt(tree, { session: "b", source: "clear" }, MEANS)).toMatchObject(
      ok({ receipt: { boot_sequence: 1 }, restarted: undefined }),
    );
    expect(readFileSync(tree.receipt, "utf8")).toBe(
      `${JSON.stringify({ boot_sequence: 1, session_id: "b", source: "clear", observed_at: "2026-11-30T12:00:00.000Z" }, null, 2)}\n`,
    );
    expect(readReceiptSession(tree)).toBe("b");
  });

  const whole = { boot_sequence: 4, session_id: "a", source: "x", observed_at: "2026-11-30T12:00:00Z" };
  it.each([
    "{",
    "[]",
    "null",
    "",
    JSON.stringify({ ...whole, boot_sequence: -1 }),
    JSON.stringify({ ...whole, boot_sequence: 2 ** 53 }),
    JSON.stringify({ ...whole, boot_sequence: "4" }),
    JSON.stringify({ ...whole, session_id: 5 }),
    JSON.stringify({ ...whole, observed_at: "then" }),
  ])("begins anew after %s", (text) => {
    const tree = newTree();
    mkdirSync(dirname(tree.receipt), { recursive: true });
    writeFileSync(tree.receipt, text);
    expect(writeReceipt(tree, { session: "b", source: "clear" }, MEANS)).toMatchObject(
      ok({ receipt: { boot_sequence: 0 }, restarted: "the former receipt could not be believed" }),
    );
  });

  it.each([5, { a: 1 }, ["x"], "", null])("with the session %j names nobody", (session_id) => {
    const tree = newTree();
    mkdirSync(dirname(tree.receipt), { recursive: true });
    writeFileSync(tree.receipt, JSON.stringify({ ...whole, session_id }));
    expect(readReceiptSession(tree)).toBeUndefined();
  });
});

describe("the coordination guard", () => {
  it.each(["done", "cancelled", "canceled", "closed", "complete", "aborted", "DONE"])(
    "ends at %s",
    (phase) => {
      expect(judgeCoordination(JSON.stringify({ phase })).state).toBe("ended");
    },
  );

  it.each([
    '{"phase":"running"}',
    '{"phase":null}',
    '{"phase":5}',
    "{}",
    "",
    "[]",
    "null",
    '{"phase":"run',
    '{"a":{"phase":"done"}}',
    '{"note":"\\"phase\\": \\"done\\""}',
    '{"__proto__":{"phase":"done"}}',
  ])("is live for %s", (text) => {
    expect(judgeCoordination(text).state).toBe("live");
  });

  it("is off without the variable, and says when its file cannot be read", () => {
    const base = scratchDirectory();
    expect(readCoordination({}, base)).toEqual({ state: "off" });
    expect(readCoordination({ AIGENT_COORDINATION_STATE: " " }, base)).toEqual({ state: "off" });
    expect(readCoordination({ AIGENT_COORDINATION_STATE: "gone.json" }, base).state).toBe("unreadable");
    expect(readCoordination({ AIGENT_COORDINATION_STATE: base }, base).state).toBe("unreadable");
    writeFileSync(join(base, "state.json"), '{"phase":"running"}');
    expect(readCoordination({ AIGENT_COORDINATION_STATE: "state.json" }, base).state).toBe("live");
  });

  it("follows a link, so that nobody conducts unseen behind one; one that leads nowhere is unreadable", () => {
    const [base, elsewhere] = [scratchDirectory(), scratchDirectory()];
    writeFileSync(join(elsewhere, "state.json"), '{"phase":"running"}');
    symlinkSync(join(elsewhere, "state.json"), join(base, "linked.json"));
    symlinkSync("circle.json", join(base, "circle.json"));
    symlinkSync("gone.json", join(base, "dangling.json"));
    expect(readCoordination({ AIGENT_COORDINATION_STATE: "linked.json" }, base).state).toBe("live");
    writeFileSync(join(elsewhere, "state.json"), '{"phase":"done"}');
    expect(readCoordination({ AIGENT_COORDINATION_STATE: "linked.json" }, base).state).toBe("ended");
    for (const name of ["circle.json", "dangling.json"]) {
      expect(readCoordination({ AIGENT_COORDINATION_STATE: name }, base).state).toBe("unreadable");
    }
  });
});
