import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { sharedRepositoryId } from "../git/remote.ts";
import { recordedWorktreeId } from "../git/worktrees.ts";
import { episodeFacts } from "../journal/roster.ts";
import type { LedgerLine } from "../ledger/line.ts";
import type { ClosedSession } from "../records/closed-session.ts";
import { deriveEnvelope } from "./envelope.ts";
import type { RecoveryAction } from "./recovery-answers.ts";
import type { StrandedFacts } from "./recovery-facts.ts";

function bodyOf(action: RecoveryAction, facts: StrandedFacts): string {
  const list = (title: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : ["", `${title}:`, "", ...values.map((value) => `- ${value}`)];
  return [
    "This episode was closed by recovery.",
    "",
    `- reason: ${action.reason}`,
    `- last sign of life: ${facts.lastSeen.at} (from the ${facts.lastSeen.from === "started_at" ? "opening" : facts.lastSeen.from})`,
    ...list("Kept", action.kept ?? []),
    ...(facts.commits.length === 0 ? [] : list("Commits of its branch", facts.commits)),
    ...list("Lost", action.lost ?? []),
    "",
  ].join("\n");
}

/**
 * Composes the record of an episode that could not close itself: no head and no working tree, because nobody
 * saw the end (records.md 13.1). Of a lost worktree the commits are those that git still has of its branch;
 * identity, branch and worktree id are that worktree's.
 */
export function composeRecovered(
  checkout: Checkout,
  facts: StrandedFacts,
  action: RecoveryAction,
  lines: readonly LedgerLine[],
): ClosedSession {
  const opened = episodeFacts(facts.entry);
  const now = formatTimestamp(checkout.clock.now());
  return {
    schema: "session/v1",
    kind: "session",
    created_at: now,
    task_id: "none",
    profile: "none",
    repository_id: sharedRepositoryId(checkout.repository, opened.branch),
    worktree_id: recordedWorktreeId(opened.worktree),
    branch: opened.branch,
    changed_files: [],
    session_id: facts.entry.sessionId,
    started_at: opened.started_at,
    closed_at: now,
    outcome: "interrupted",
    title: `Recovered episode ${facts.entry.sessionId}`,
    ...(opened.worker === undefined ? {} : { worker: opened.worker }),
    start_head: opened.start_head,
    ...(opened.start_working_tree === "" ? {} : { start_working_tree: opened.start_working_tree }),
    commits:
      facts.commitsUnknown === undefined
        ? facts.commits.map((commit) => commit.slice(0, commit.indexOf(" ")))
        : ["unknown"],
    ...deriveEnvelope(lines),
    milestones: [],
    body: bodyOf(action, facts),
  };
}
