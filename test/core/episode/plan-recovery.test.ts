import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planRecovery } from "../../../src/core/episode/plan-recovery.ts";
import { formatClosedSession } from "../../../src/core/records/closed-session.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";

const POLICY = ".ai/repo/policy.yaml";

/** A place with one of everything that recovery knows: a silent episode, an orphan and a pointer to nothing. */
async function ruined(): Promise<Place> {
  const place = await newPlace();
  await place.fire("start", "silent");
  place.clock.forward(24 * 60);
  const { layout } = await place.checkout();
  const orphan = join(layout.state, ".tmp.0a1b2c3d");
  writeFileSync(orphan, "");
  utimesSync(orphan, place.clock.now() / 1000, place.clock.now() / 1000);
  rmSync(layout.pointer, { force: true });
  symlinkSync("sessions-open/gone.yaml", layout.pointer);
  return place;
}

async function refusal(place: Place, older_than?: string): Promise<unknown> {
  const checkout = await place.checkout();
  try {
    return planRecovery(checkout, older_than === undefined ? {} : { older_than });
  } catch (error) {
    return error;
  }
}

describe("planRecovery", () => {
  it("plans what was asked for and no more, the orphans first", async () => {
    const checkout = await (await ruined()).checkout();
    const kinds = (subject?: "status" | "all" | "orphans" | "episodes" | "records"): string[] =>
      planRecovery(checkout, { ...(subject && { subject }), older_than: "0s" }).answer.actions.map(
        ({ kind }) => kind,
      );
    expect(kinds()).toEqual(["orphan", "episode", "pointer"]);
    expect(kinds("status")).toEqual(["orphan", "episode", "pointer"]);
    expect(kinds("all")).toEqual(["orphan", "episode", "pointer"]);
    expect(kinds("orphans")).toEqual(["orphan"]);
    expect(kinds("episodes")).toEqual(["episode"]);
    expect(kinds("records")).toEqual([]);
  });

  it("says of a pointer that names nothing what it removes", async () => {
    const checkout = await (await ruined()).checkout();
    const { actions } = planRecovery(checkout, {}).answer;
    expect(actions.at(-1)).toEqual({
      id: "pointer",
      kind: "pointer",
      subject: checkout.layout.pointer,
      reason: "pointer names nothing",
      evidence: [expect.stringContaining("gone.yaml")],
      removes: [checkout.layout.pointer],
    });
  });

  it("plans nothing and passes nothing over where nothing is wrong, with a pointer or without", async () => {
    const place = await newPlace();
    for (const subject of ["status", "all", "orphans", "episodes", "records"] as const) {
      expect(planRecovery(await place.checkout(), { subject }).answer).toMatchObject({
        actions: [],
        skipped: [],
      });
    }
    await place.fire("start", "at work");
    const { answer, stranded } = planRecovery(await place.checkout(), {});
    expect(answer.actions).toEqual([]);
    expect(answer.skipped.map(({ subject }) => subject)).toEqual([...stranded.keys()]);
    expect(stranded.size).toBe(1);
  });

  it("names each thing that it passes over, of every kind, with the reason", async () => {
    const place = await ruined();
    const { layout } = await place.checkout();
    const left = (path: string, text: string, ageMinutes = 0): string => {
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, text);
      const then = place.clock.now() / 1000 - ageMinutes * 60;
      utimesSync(path, then, then);
      return path;
    };
    const unread = left(join(layout.sessionsOpen, "torn.yaml"), "{");
    const litter = left(join(layout.contexts, ".tmp.0a1b2c3d"), "half", 10);
    const lock = left(join(layout.locks, "ledger"), "no lock");
    const { skipped } = planRecovery(await place.checkout(), { older_than: "1h" }).answer;
    expect(skipped).toEqual([
      { subject: join(layout.state, ".tmp.0a1b2c3d"), reason: "is only 0m old" },
      { subject: litter, reason: "is only 10m old" },
      { subject: lock, reason: "is only 0m old" },
      { subject: unread, reason: expect.stringMatching(/./) },
    ]);
  });

  it("folds the records of one episode when records are asked for", async () => {
    const checkout = await (await newPlace()).checkout();
    mkdirSync(checkout.layout.sessions, { recursive: true });
    const id = "s-20260904080000-0001";
    for (const hour of ["09", "10"]) {
      writeFileSync(
        join(checkout.layout.sessions, `20260904T${hour}0000Z--${id}--main--NONE--0.md`),
        formatClosedSession({
          schema: "session/v1",
          kind: "session",
          session_id: id,
          started_at: "2026-09-04T08:00:00Z",
          closed_at: `2026-09-04T${hour}:00:00Z`,
          outcome: "interrupted",
          body: "# Session\n",
        }),
      );
    }
    for (const subject of ["records", "all"] as const) {
      expect(planRecovery(checkout, { subject }).answer.actions).toMatchObject([
        { kind: "records", session_id: id, reason: "duplicate records" },
      ]);
    }
  });

  it("has another digest for as many other things", async () => {
    const place = await ruined();
    const { layout } = await place.checkout();
    const digest = async (): Promise<string> =>
      planRecovery(await place.checkout(), { subject: "orphans", older_than: "0s" }).answer.digest;
    const before = await digest();
    renameSync(join(layout.state, ".tmp.0a1b2c3d"), join(layout.state, ".tmp.0a1b2c3e"));
    expect(await digest()).not.toBe(before);
  });

  it("has a digest that stays while the evidence does, and the balance beside it", async () => {
    const place = await ruined();
    const first = planRecovery(await place.checkout(), { older_than: "0s" }).answer;
    const second = planRecovery(await place.checkout(), { older_than: "0s" }).answer;
    expect(second.digest).toBe(first.digest);
    expect(first.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(first.balance).toMatchObject({ started: 1, open: 1, unaccounted: 0 });
    const fewer = planRecovery(await place.checkout(), { subject: "orphans", older_than: "0s" }).answer;
    expect(fewer.digest).not.toBe(first.digest);
  });

  it("takes its threshold from the command, else from the policy, and has no fall-back", async () => {
    const place = await ruined();
    const at = async (older_than?: string): Promise<string[]> => {
      const { actions } = planRecovery(await place.checkout(), {
        subject: "episodes",
        ...(older_than && { older_than }),
      }).answer;
      return actions.map(({ reason }) => reason);
    };
    expect(await at("25h")).toEqual([]);
    expect(await at("24h")).toEqual(["silent"]);
    expect(await at()).toEqual(["silent"]);
    expect(await refusal(place, "soon")).toMatchObject({
      code: "recover.duration",
      exit: 2,
      subject: "soon",
      remedy: "write it as 90s, 15m or 12h",
      message: expect.stringContaining("is not a duration"),
    });
    const { root } = place;
    const policy = readFileSync(join(root, POLICY), "utf8");
    writeFileSync(join(root, POLICY), policy.replace(/^ *stranded_after:.*\n/m, ""));
    expect(await refusal(place)).toMatchObject({
      code: "policy.stranded_after",
      exit: 10,
      subject: "session.stranded_after",
      remedy: "add `stranded_after: 12h` under `session`, or give --older-than",
      message: expect.stringContaining("recovery has no fallback for it"),
    });
    expect(await at("24h")).toEqual(["silent"]);
  });
});
