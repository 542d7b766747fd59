import type { ClosedSessionFile } from "../records/session-store.ts";
import type { RecoveryAction } from "./recovery-answers.ts";
import type { Skipped } from "./plan-stranded.ts";

/** Several records of one episode: which one stays, and what it takes over. */
export interface Duplicate {
  sessionId: string;
  canonical: ClosedSessionFile;
  others: ClosedSessionFile[];
}

/** Groups records by episode; the canonical one has the smallest `created_at`, then the smallest path. */
export function findDuplicates(records: readonly ClosedSessionFile[]): Duplicate[] {
  const groups = new Map<string, ClosedSessionFile[]>();
  for (const record of records) {
    const group = groups.get(record.session.session_id) ?? [];
    group.push(record);
    groups.set(record.session.session_id, group);
  }
  return [...groups].flatMap(([sessionId, group]) => {
    const [canonical, ...others] = group.toSorted((a, b) => {
      const [first, second] = [a.session.created_at ?? "", b.session.created_at ?? ""];
      if (first !== second) return first < second ? -1 : 1;
      return a.path < b.path ? -1 : 1;
    });
    return canonical === undefined || others.length === 0 ? [] : [{ sessionId, canonical, others }];
  });
}

/** Folding needs agreement about the start: records that differ there are two stories, and are only reported. */
export function planDuplicates(records: readonly ClosedSessionFile[]): {
  actions: RecoveryAction[];
  skipped: Skipped[];
} {
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  for (const { sessionId, canonical, others } of findDuplicates(records)) {
    const starts = new Set([canonical, ...others].map((record) => record.session.started_at));
    if (starts.size > 1) {
      skipped.push({ subject: sessionId, reason: "has several records that disagree about started_at" });
      continue;
    }
    actions.push({
      id: `records:${sessionId}`,
      kind: "records",
      subject: sessionId,
      session_id: sessionId,
      reason: "duplicate records",
      evidence: [
        `${others.length + 1} records carry this id; the oldest stays and takes over the lists and texts of the rest`,
      ],
      writes: [canonical.path],
      removes: others.map((record) => record.path),
    });
  }
  return { actions, skipped };
}
