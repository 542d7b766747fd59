import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRecordOfSession, readClosedSession } from "../../../src/core/records/session-store.ts";
import { listEnded, readRegistration } from "../../../src/core/journal/registration.ts";
import { recordEvent } from "../../../src/core/ledger/record-event.ts";
import { readPointer } from "../../../src/core/records/pointer.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { newPlace } from "../../support/checkout.ts";
import { commitFile } from "../../support/repository.ts";

function closedRecord(checkout: Checkout, sessionId: string) {
  const path = findRecordOfSession(checkout.layout.sessions, sessionId);
  const record = path === undefined ? undefined : readClosedSession(path);
  if (path === undefined || record?.ok !== true) throw new Error(`no record of ${sessionId}`);
  return { path, record: record.value };
}

function sessionOf(checkout: Checkout, raw: string): string {
  return readRegistration(checkout.common, "claude-code", raw)?.registration.session_id ?? "";
}

describe("sealing an episode at its end", () => {
  it("derives the envelope from the episode's own lines and from git", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("start", "two");
    const before = await place.checkout();
    const [one, two] = [sessionOf(before, "one"), sessionOf(before, "two")];
    recordEvent(before, "decision.recorded", { task_id: "none", decision: 'Say "no"' }, { session: one });
    recordEvent(
      before,
      "decision.recorded",
      { task_id: "none", decision: "of another window" },
      { session: two },
    );
    recordEvent(before, "decision.recorded", { task_id: "none", decision: "of nobody" });
    const commit = commitFile(place.root, "a.txt", "a");
    writeFileSync(join(place.root, "b.txt"), "b");
    place.clock.forward(10);
    await place.fire("end", "one", { reason: "prompt_input_exit", closes: true });
    const { record } = closedRecord(await place.checkout(), one);
    expect(record).toMatchObject({
      outcome: "closed",
      decisions: ['Say "no"'],
      commits: [commit.slice(0, 7)],
      head: commit,
      working_tree: "dirty",
      changed_files: ["b.txt"],
      closed_at: "2026-09-04T12:10:00Z",
      title: `Session ${one} on main`,
    });
    expect(record.body).toContain("# What Happened");
    expect(record.body).toContain("Write a.txt");
  });

  it("closes its own episode and no other, and aims the pointer at the one that is left", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("start", "two");
    await place.fire("end", "two", { reason: "clear", closes: true });
    const { layout, common } = await place.checkout();
    expect(readdirSync(layout.sessionsOpen)).toEqual(["one.yaml"]);
    expect(readPointer(layout)).toMatchObject({ key: "one", resolves: true });
    expect(listEnded(common)).toHaveLength(1);
  });

  it("says interrupted for every reason that does not close", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const id = sessionOf(await place.checkout(), "one");
    await place.fire("end", "one", { reason: "other", closes: false });
    expect(closedRecord(await place.checkout(), id).record.outcome).toBe("interrupted");
  });

  it("lets a doubled and a late end change nothing but a receipt", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const id = sessionOf(await place.checkout(), "one");
    await place.fire("end", "one", { reason: "clear", closes: true });
    const checkout = await place.checkout();
    const { path } = closedRecord(checkout, id);
    const bytes = readFileSync(path);
    const ledger = readFileSync(checkout.layout.ledger, "utf8");
    await place.fire("start", "newer");
    const middle = readFileSync(checkout.layout.ledger, "utf8");
    await place.fire("end", "one", { reason: "clear", closes: true });
    await place.fire("end", "never seen", { reason: "clear", closes: true });
    expect(readFileSync(path)).toEqual(bytes);
    expect(middle.startsWith(ledger)).toBe(true);
    expect(readFileSync(checkout.layout.ledger, "utf8")).toBe(middle);
    expect(existsSync(join(checkout.layout.sessionsOpen, "newer.yaml"))).toBe(true);
  });

  it("appends the close to the working context once", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("end", "one", { reason: "clear", closes: true });
    const { layout } = await place.checkout();
    const [name = ""] = readdirSync(layout.contexts);
    const text = readFileSync(join(layout.contexts, name), "utf8");
    expect(text.match(/^## Close$/gm)).toHaveLength(1);
    expect(text).toContain("- outcome: closed");
    expect(text).toContain("- record: .ai/repo/sessions/");
  });

  it("writes no absolute path into the tracked record", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const id = sessionOf(await place.checkout(), "one");
    await place.fire("end", "one", { reason: "clear", closes: true });
    const { path } = closedRecord(await place.checkout(), id);
    expect(readFileSync(path, "utf8")).not.toContain(place.root);
  });
});
