import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyRecovery } from "../../../src/core/episode/apply-recovery.ts";
import { planLocks } from "../../../src/core/episode/plan-locks.ts";
import { planRecovery } from "../../../src/core/episode/plan-recovery.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import type { ProcessIdentity } from "../../../src/core/fs/process.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { newPlace } from "../../support/checkout.ts";

const HOUR = 3_600_000;

async function lockHeldBy(holder: Partial<ProcessIdentity>, ageHours = 48) {
  const place = await newPlace();
  const checkout = await place.checkout();
  mkdirSync(checkout.layout.locks, { recursive: true });
  const path = join(checkout.layout.locks, "ledger");
  writeFileSync(path, `${JSON.stringify({ token: "0123456789abcdef", ...ownProcess(), ...holder })}\n`);
  const then = (place.clock.now() - ageHours * HOUR) / 1000;
  utimesSync(path, then, then);
  return { place, checkout, path };
}

const plan = (checkout: Checkout, limit: number) => planLocks(checkout, [checkout.layout.locks], limit);

const ELSEWHERE = { namespace: "pid:[1]" };
const CANNOT_BE_SEEN = `is held by pid ${process.pid} of another machine or container, which cannot be seen from here`;

describe("planLocks", () => {
  it("offers to remove a lock whose holder cannot be judged, and removes it when a person says so", async () => {
    const { checkout, path } = await lockHeldBy(ELSEWHERE);
    expect(plan(checkout, 48 * HOUR)).toEqual({
      actions: [
        {
          id: `lock:${path}`,
          kind: "orphan",
          subject: path,
          reason: "lock of an unknown holder",
          evidence: [CANNOT_BE_SEEN],
          removes: [path],
        },
      ],
      skipped: [],
    });
    const recovery = planRecovery(checkout, { subject: "orphans" });
    await applyRecovery(checkout, recovery, recovery.answer.actions, { aborted: false }, () => undefined);
    expect(existsSync(path)).toBe(false);
  });

  it("leaves a young one, a held one and one of an earlier boot alone, with the reason", async () => {
    const young = await lockHeldBy(ELSEWHERE, 1);
    expect(plan(young.checkout, 12 * HOUR)).toMatchObject({
      actions: [],
      skipped: [{ reason: "is only 60m old" }],
    });
    const held = await lockHeldBy({});
    expect(plan(held.checkout, HOUR).skipped[0]?.reason).toContain("which runs");
    // Longer ago than any machine runs.
    const earlier = await lockHeldBy({ boot: "00000000-0000-0000-0000-000000000000" }, 20 * 365 * 24);
    expect(plan(earlier.checkout, HOUR).skipped[0]?.reason).toContain("is gone: the next one takes it over");
  });

  it("offers what stands in a lock's place and is none, and passes over what a write has not finished", async () => {
    const { place, checkout, path } = await lockHeldBy({});
    const then = (place.clock.now() - 48 * HOUR) / 1000;
    for (const name of ["ledger", ".tmp.0a1b2c3d", "x.tmp.", "torn"]) {
      writeFileSync(join(checkout.layout.locks, name), name === "torn" ? '{"token":"01' : '"not a lock"');
      utimesSync(join(checkout.layout.locks, name), then, then);
    }
    const { actions, skipped } = plan(checkout, HOUR);
    expect(skipped).toEqual([
      {
        subject: join(checkout.layout.locks, "torn"),
        reason: "was cut short, and is nobody's: the next one takes it over",
      },
    ]);
    expect(actions.map(({ subject, evidence }) => [subject, evidence])).toEqual([
      [path, ["what stands there is no lock of ours"]],
      [join(checkout.layout.locks, "x.tmp."), ["what stands there is no lock of ours"]],
    ]);
  });

  it("leaves one whose holder is gone to the next taker, and offers one without a real number", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const gone = await lockHeldBy({ pid });
    expect(plan(gone.checkout, HOUR)).toEqual({
      actions: [],
      skipped: [
        { subject: gone.path, reason: `its holder, pid ${pid}, is gone: the next one takes it over` },
      ],
    });
    const odd = await lockHeldBy({ pid: 0 });
    expect(plan(odd.checkout, HOUR)).toMatchObject({ actions: [{ subject: odd.path }], skipped: [] });
  });
});
