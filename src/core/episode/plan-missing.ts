import type { MissingRecord } from "../ledger/missing-records.ts";
import type { Skipped } from "./plan-stranded.ts";
import type { RecoveryAction } from "./recovery-answers.ts";

/** Offers each closed record back that was taken away; one that nobody kept a copy of can only be told of. */
export function planMissing(missing: readonly MissingRecord[]): {
  actions: RecoveryAction[];
  skipped: Skipped[];
} {
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  for (const { sessionId, path, copy } of missing) {
    if (copy === undefined) {
      skipped.push({ subject: sessionId, reason: `${path} is not there, and no copy of it was kept` });
      continue;
    }
    actions.push({
      id: `restore:${sessionId}`,
      kind: "restore",
      subject: sessionId,
      session_id: sessionId,
      reason: "closed record taken away",
      evidence: [`${path} is in no work tree and in no commit of a branch; its copy is ${copy}`],
      kept: ["the record, word for word as it was closed"],
      writes: [path],
    });
  }
  return { actions, skipped };
}
