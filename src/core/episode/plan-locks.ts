import { join } from "node:path";
import { spanText } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readHolder } from "../fs/lock-file.ts";
import { judgeProcess, ownProcess } from "../fs/process.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import type { Skipped } from "./plan-stranded.ts";
import type { RecoveryAction } from "./recovery-answers.ts";

/** Why a person may break a lock, or why it is left alone. */
function judge(path: string): { breaks: string } | { skip: string } {
  const holder = readHolder(path);
  if (holder === "absent") return { skip: "was released meanwhile" };
  if (holder === "unreadable") return { breaks: "what stands there is no lock of ours" };
  const state = judgeProcess(holder);
  if (state === "gone") return { skip: `its holder, pid ${holder.pid}, is gone: the next one takes it over` };
  if (state === "alive") return { skip: `is held by pid ${holder.pid}, which runs` };
  const own = ownProcess();
  if (holder.boot !== own.boot && holder.namespace === own.namespace) {
    return { breaks: `was taken before this machine's last start, by pid ${holder.pid}` };
  }
  return { skip: `is held by pid ${holder.pid} of another machine or container` };
}

/**
 * Locks that no process will ever release or take over: those of an earlier boot. A lock is never broken by
 * anybody but a person, because a holder that cannot be judged may be at work (decisions.md 3).
 */
export function planLocks(
  checkout: Checkout,
  thresholdMilliseconds: number,
): { actions: RecoveryAction[]; skipped: Skipped[] } {
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  for (const directory of [checkout.layout.locks, checkout.common.locks]) {
    for (const name of listDirectory(directory).filter((entry) => !entry.startsWith(".tmp."))) {
      const path = join(directory, name);
      const stamp = stampOf(path);
      if (stamp === undefined) continue;
      const age = checkout.clock.now() - stamp.modified;
      const verdict = judge(path);
      if ("skip" in verdict || age < thresholdMilliseconds) {
        const reason =
          "skip" in verdict ? verdict.skip : `is only ${spanText(Math.max(0, Math.floor(age / 60_000)))} old`;
        skipped.push({ subject: path, reason });
        continue;
      }
      actions.push({
        id: `lock:${path}`,
        kind: "orphan",
        subject: path,
        reason: "lock of an earlier boot",
        evidence: [verdict.breaks],
        removes: [path],
      });
    }
  }
  return { actions, skipped };
}
