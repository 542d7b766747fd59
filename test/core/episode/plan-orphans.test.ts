import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { applyRecovery } from "../../../src/core/episode/apply-recovery.ts";
import { planLitter } from "../../../src/core/episode/plan-litter.ts";
import { planOrphans } from "../../../src/core/episode/plan-orphans.ts";
import { planRecovery } from "../../../src/core/episode/plan-recovery.ts";
import { formatClosedSession } from "../../../src/core/records/closed-session.ts";
import { newPlace } from "../../support/checkout.ts";

const HOUR = 3_600_000;

const RECORD = (id: string): string =>
  formatClosedSession({
    schema: "session/v1",
    kind: "session",
    session_id: id,
    started_at: "2026-09-04T08:00:00Z",
    closed_at: "2026-09-04T09:00:00Z",
    outcome: "interrupted",
    body: "# Session\n",
  });

async function newCheckout(): Promise<Checkout> {
  return (await newPlace()).checkout();
}

/** Puts a file there, as old as is said. */
function leave(checkout: Checkout, path: string, text: string, ageMinutes = 24 * 60): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const then = (checkout.clock.now() - ageMinutes * 60_000) / 1000;
  utimesSync(path, then, then);
  return path;
}

function verdicts(plan: ReturnType<typeof planOrphans>): Record<string, unknown>[] {
  return [...plan.actions, ...plan.skipped].map((row) => ({ ...row }));
}

describe("planOrphans", () => {
  it("publishes a record that was never published, and removes what is empty, published or written", async () => {
    const checkout = await newCheckout();
    const { sessions, checkpoints, state } = checkout.layout;
    const half = leave(checkout, join(sessions, ".tmp.0a1b2c"), RECORD("s-20260904080000-0001"));
    leave(
      checkout,
      join(sessions, "20260904T090000Z--s-20260904080000-0002--main--NONE--0.md"),
      RECORD("s-20260904080000-0002"),
    );
    const done = leave(checkout, join(sessions, ".tmp.ffffff"), RECORD("s-20260904080000-0002"));
    const empty = leave(checkout, join(checkpoints, ".tmp.00000001"), "");
    leave(checkout, join(state, "current.yaml"), "x");
    const written = leave(checkout, join(state, "current.yaml.mj-tmp"), "x");
    const { actions, skipped } = planOrphans(checkout, HOUR);
    expect(skipped).toEqual([]);
    expect(actions).toEqual([
      {
        id: "orphan:.tmp.0a1b2c",
        kind: "orphan",
        subject: half,
        reason: "half-published record",
        evidence: ["holds the record of s-20260904080000-0001, never published"],
        writes: ["the record, published under its own name"],
        removes: [half],
      },
      {
        id: "orphan:.tmp.ffffff",
        kind: "orphan",
        subject: done,
        reason: "temporary file left behind",
        evidence: ["its record was published"],
        removes: [done],
      },
      expect.objectContaining({ subject: empty, evidence: ["is empty"] }),
      expect.objectContaining({ subject: written, evidence: ["its target was written"], removes: [written] }),
    ]);
  });

  it("leaves alone what is young, what is not ours, and what only looks like it", async () => {
    const checkout = await newCheckout();
    const { sessions, sessionsOpen, handovers, state } = checkout.layout;
    const young = leave(checkout, join(sessions, ".tmp.1"), "", 59);
    const ahead = leave(checkout, join(sessionsOpen, ".tmp.2"), "", -5);
    const foreign = leave(checkout, join(handovers, ".tmp.3"), "# somebody's notes\n");
    const alone = leave(checkout, join(state, "gone.yaml.mj-tmp"), "x");
    leave(checkout, join(state, "x.tmp.4"), "");
    leave(checkout, join(state, "a.mj-tmp.yaml"), "");
    expect(verdicts(planOrphans(checkout, HOUR))).toEqual([
      { subject: young, reason: "is only 59m old" },
      { subject: ahead, reason: "is only 0m old" },
      { subject: foreign, reason: "is not a record of ours" },
      { subject: alone, reason: "has no target beside it" },
    ]);
    const same = leave(checkout, join(sessions, ".tmp.1"), "", 60);
    expect(planOrphans(checkout, HOUR).actions.map(({ subject }) => subject)).toEqual([same]);
  });

  it("does not read what is no regular file, or too large", async () => {
    const checkout = await newCheckout();
    const { checkpoints } = checkout.layout;
    const large = leave(checkout, join(checkpoints, ".tmp.5"), "x".repeat(1024 * 1024 + 1));
    expect(verdicts(planOrphans(checkout, HOUR))).toEqual([
      { subject: large, reason: expect.stringContaining("1048576 bytes") },
    ]);
  });
});

describe("planLitter", () => {
  it("names what killed writes left in each directory of ours, and a person's word removes it", async () => {
    const checkout = await newCheckout();
    const { layout, common } = checkout;
    const places = [
      join(layout.ai, "repo/knowledge/candidates"),
      layout.contexts,
      layout.locks,
      layout.taskArchive,
      layout.completed,
      common.root,
      common.events,
      common.episodes,
      common.ended,
      common.journal,
      common.journalClosed,
      common.spool,
      common.installed,
      common.cache,
      common.locks,
      join(common.records, "0123456789abcdef", "handovers"),
      join(common.records, "0123456789abcdef", "checkpoints"),
      join(common.records, "0123456789abcdef", "sessions"),
    ];
    const left = places.map((place) => leave(checkout, join(place, ".tmp.0a1b2c3d"), "half"));
    const plan = planLitter(checkout, HOUR);
    expect(plan.skipped).toEqual([]);
    expect(plan.actions.map(({ subject }) => subject)).toEqual(left);
    expect(plan.actions[0]).toEqual({
      id: `litter:${left[0]}`,
      kind: "orphan",
      subject: left[0],
      reason: "temporary file left behind",
      evidence: ["a write that was cut short left it in a directory of ours"],
      removes: [left[0]],
    });
    const recovery = planRecovery(checkout, { subject: "orphans", older_than: "1h" });
    await applyRecovery(checkout, recovery, recovery.answer.actions, { aborted: false }, () => undefined);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
  });

  it("leaves alone the young, what is no file of ours, and everything behind a link", async () => {
    const checkout = await newCheckout();
    const { layout, common, root } = checkout;
    const young = leave(checkout, join(layout.contexts, ".tmp.0a1b2c3d"), "half", 59);
    const old = leave(checkout, join(layout.contexts, ".tmp.0a1b2c3e"), "half", 60);
    leave(checkout, join(layout.contexts, ".tmp.5b0ba836"), "being written", 0);
    const past = leave(checkout, join(layout.contexts, ".tmp.5b0ba837"), "no more being written", 5 / 60);
    leave(checkout, join(layout.contexts, ".tmp.notes"), "somebody's");
    leave(checkout, join(layout.contexts, ".tmp.0a1b2c3d9"), "somebody's");
    leave(checkout, join(layout.contexts, "x.tmp.0a1b2c3d"), "somebody's");
    const directory = join(layout.contexts, ".tmp.abcdef");
    mkdirSync(directory);
    const elsewhere = join(root, "elsewhere");
    leave(checkout, join(elsewhere, ".tmp.0a1b2c3d"), "another's");
    symlinkSync(elsewhere, common.ended);
    expect(planLitter(checkout, HOUR)).toMatchObject({
      actions: [{ subject: old }],
      skipped: [
        { subject: young, reason: "is only 59m old" },
        { subject: past, reason: "is only 0m old" },
        { subject: directory, reason: "is not a regular file" },
      ],
    });
  });
});
