import { spanText } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { listLocks, stuckReason } from "../fs/lock-standing.ts";
import type { LockStanding } from "../fs/lock-standing.ts";
import { stampOf } from "../fs/read.ts";
import type { Skipped } from "./plan-stranded.ts";
import type { RecoveryAction } from "./recovery-answers.ts";

/** Why a lock that is not stuck is left alone. */
function reasonToLeave(standing: LockStanding): string {
  const holder = standing.state === "absent" ? undefined : standing.holder;
  if (holder === undefined) return "was cut short, and is nobody's: the next one takes it over";
  return standing.state === "held"
    ? `is held by pid ${holder.pid}, which runs`
    : `its holder, pid ${holder.pid}, is gone: the next one takes it over`;
}

/**
 * Locks whose holder cannot be judged, so that no process will ever take them over. Such a lock is never broken by
 * anybody but a person, because its holder may be at work (decisions.md 3).
 *
 * @param directories where locks lie
 */
export function planLocks(
  checkout: Checkout,
  directories: readonly string[],
  thresholdMilliseconds: number,
): { actions: RecoveryAction[]; skipped: Skipped[] } {
  const now = checkout.clock.now();
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  for (const directory of directories) {
    for (const { path, standing } of listLocks(directory, now)) {
      const stamp = stampOf(path);
      if (stamp === undefined) continue;
      const age = now - stamp.modified;
      const stuck = stuckReason(standing);
      if (stuck === undefined || age < thresholdMilliseconds) {
        const young = `is only ${spanText(Math.max(0, Math.floor(age / 60_000)))} old`;
        skipped.push({ subject: path, reason: stuck === undefined ? reasonToLeave(standing) : young });
        continue;
      }
      actions.push({
        id: `lock:${path}`,
        kind: "orphan",
        subject: path,
        reason: "lock of an unknown holder",
        evidence: [stuck],
        removes: [path],
      });
    }
  }
  return { actions, skipped };
}
