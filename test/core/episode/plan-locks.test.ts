import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyRecovery } from "../../../src/core/episode/apply-recovery.ts";
import { planLocks } from "../../../src/core/episode/plan-locks.ts";
import { planRecovery } from "../../../src/core/episode/plan-recovery.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import type { ProcessIdentity } from "../../../src/core/fs/process.ts";
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

describe("planLocks", () => {
  it("offers to remove a lock of an earlier boot, and removes it when a person says so", async () => {
    const { checkout, path } = await lockHeldBy({ boot: "00000000-0000-0000-0000-000000000000" });
    const { actions } = planLocks(checkout, 12 * HOUR);
    expect(actions).toMatchObject([{ subject: path, reason: "lock of an earlier boot" }]);
    const recovery = planRecovery(checkout, { subject: "orphans" });
    await applyRecovery(checkout, recovery, recovery.answer.actions, { aborted: false }, () => undefined);
    expect(existsSync(path)).toBe(false);
  });

  it("leaves a young one, a held one and one of another container alone, with the reason", async () => {
    const young = await lockHeldBy({ boot: "00000000-0000-0000-0000-000000000000" }, 1);
    expect(planLocks(young.checkout, 12 * HOUR)).toMatchObject({
      actions: [],
      skipped: [{ reason: "is only 60m old" }],
    });
    const held = await lockHeldBy({});
    expect(planLocks(held.checkout, HOUR).skipped[0]?.reason).toContain("which runs");
    const other = await lockHeldBy({ boot: "0", namespace: "pid:[1]" });
    expect(planLocks(other.checkout, HOUR).skipped[0]?.reason).toContain("another machine or container");
  });
});
