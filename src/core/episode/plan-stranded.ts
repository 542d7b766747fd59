import { isCommitId } from "../base/id.ts";
import { minutesBetween, parseTimestamp, spanText } from "../base/time.ts";
import { isBeingTaken } from "../journal/announced-ends.ts";
import { episodeFacts } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import type { RecoveryAction } from "./recovery-answers.ts";
import type { StrandedFacts } from "./recovery-facts.ts";

export interface Skipped {
  subject: string;
  reason: string;
}

type Verdict = { recover: keyof typeof REASONS } | { skip: string };

/** Why an episode is recovered, or why it is left alone (records.md 13.1, decisions.md 2). */
function judge(facts: StrandedFacts, now: number, thresholdMilliseconds: number): Verdict {
  const { entry } = facts;
  if (facts.own) return { skip: "is the episode of the session that asks" };
  if (entry.ended !== undefined && isBeingTaken(entry.ended, now)) {
    return { skip: `its end is being written by pid ${entry.ended.hook}` };
  }
  if (facts.record !== undefined && entry.here) return { recover: "half_closed" };
  const stranding = strandingOf(entry);
  if (stranding !== undefined) return { recover: stranding.loss };
  if (entry.standing === "foreign") {
    return { skip: `belongs to another ${entry.here ? "worktree" : "repository's worktree"}` };
  }
  if (entry.worker.state === "alive") return { skip: `${entry.worker.note}: its worker is at work` };
  if (!entry.here) return { skip: "is open in another worktree, and nothing proves its worker gone" };
  const seen = parseTimestamp(facts.lastSeen.at);
  if (seen === undefined) return { skip: "its timestamps cannot be read" };
  const age = now - seen;
  if (age < 0) return { skip: `was seen at ${facts.lastSeen.at}, which lies ahead of this clock` };
  if (age < thresholdMilliseconds) {
    return { skip: `was seen ${spanText(minutesBetween(seen, now))} ago, within the threshold` };
  }
  return { recover: "silent" };
}

const REASONS = {
  worktree_gone: "worktree gone",
  worker_gone: "worker gone",
  ended: "ended without a record",
  silent: "silent",
  half_closed: "half closed",
} as const;

function counted(lines: StrandedFacts["lines"]): string {
  const counts = new Map<string, number>();
  for (const { event } of lines) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].map(([event, count]) => `${event} ${count}`).join(", ");
}

function kept(facts: StrandedFacts): string[] {
  const lines = [`${facts.lines.length} ledger event(s): ${counted(facts.lines) || "none"}`];
  if (facts.commits.length > 0) {
    const branch = episodeFacts(facts.entry).branch;
    lines.push(`${facts.commits.length} commit(s) on ${branch}, which git still has`);
  }
  for (const { kind, count, directory } of facts.copies) {
    lines.push(`${count} ${kind} of its worktree, in ${directory} of git's common directory`);
  }
  return lines;
}

/** What git may still have although nothing leads to it: worth a look while it is not cleaned up. */
function lastSeenHead({ lines }: StrandedFacts): string {
  const head = lines.findLast((line) => line.head !== undefined && isCommitId(line.head))?.head;
  return head === undefined ? "" : `; the ledger last saw ${head.slice(0, 12)}`;
}

function lost(facts: StrandedFacts): string[] {
  if (facts.entry.whereabouts.kind !== "gone") return [];
  const { worktree } = episodeFacts(facts.entry);
  return [
    `uncommitted and untracked files of ${worktree}: no one can say which`,
    `its own .ai/local: task, decisions with their reasons, questions and working context of that worktree`,
    ...(facts.commitsUnknown === undefined
      ? []
      : [`which commits it made: ${facts.commitsUnknown}${lastSeenHead(facts)}`]),
    ...(facts.shadowed ? [] : ["its ledger: the episode was opened without a shadow journal"]),
  ];
}

function actionOf(facts: StrandedFacts, reason: keyof typeof REASONS, now: number): RecoveryAction {
  const { entry, lastSeen } = facts;
  const seen = parseTimestamp(lastSeen.at);
  const age = seen === undefined ? "age unknown" : `${spanText(minutesBetween(seen, now))} ago`;
  return {
    id: `episode:${entry.sessionId}`,
    kind: "episode",
    subject: entry.sessionId,
    session_id: entry.sessionId,
    reason: REASONS[reason],
    evidence: [
      `${entry.sessionId}  key=${entry.key}  last seen ${lastSeen.at} (${lastSeen.from}, ${age})`,
      ...(entry.whereabouts.kind === "gone" ? [entry.whereabouts.reason] : []),
      ...(reason === "worker_gone" ? [entry.worker.note] : []),
      ...(reason === "ended"
        ? [
            `its end came ${entry.ended?.at ?? ""}${entry.ended?.reason === undefined ? "" : ` (${entry.ended.reason})`}`,
          ]
        : []),
      ...(facts.record === undefined ? [] : ["its record stands already: only the close is finished"]),
    ],
    kept: kept(facts),
    lost: lost(facts),
    writes:
      facts.record === undefined
        ? ["one closed record, outcome interrupted", "session.recovered in the ledger"]
        : [],
    ...(entry.whereabouts.kind === "gone" ? {} : { removes: [entry.path] }),
  };
}

/** Decides about every open episode; pure, so that every row of the rule is a row of a test. */
export function planStranded(
  all: readonly StrandedFacts[],
  now: number,
  thresholdMilliseconds: number,
): { actions: RecoveryAction[]; skipped: Skipped[] } {
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  for (const facts of all) {
    const verdict = judge(facts, now, thresholdMilliseconds);
    if ("skip" in verdict) skipped.push({ subject: facts.entry.sessionId, reason: verdict.skip });
    else actions.push(actionOf(facts, verdict.recover, now));
  }
  return { actions, skipped };
}
