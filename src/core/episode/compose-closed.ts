import { join } from "node:path";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { CommitRange } from "../git/commits.ts";
import { Moment } from "../git/moment.ts";
import { sharedRepositoryId } from "../git/remote.ts";
import { episodeFacts } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import type { LedgerLine } from "../ledger/line.ts";
import type { ClosedSession } from "../records/closed-session.ts";
import { readRecordText } from "../records/record-file.ts";
import { knownQuestions } from "../records/questions.ts";
import { ownTaskOf, readTaskHere, taskDoubt } from "../records/task.ts";
import { isCommitId } from "../base/id.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";
import { composeBody } from "./body.ts";
import { workingChanges } from "../checkout/working-changes.ts";
import { deriveEnvelope } from "./envelope.ts";
import type { Envelope } from "./envelope.ts";

function commitsOf(moment: Moment, startHead: string): CommitRange {
  if (!isCommitId(startHead) || moment.head === undefined) return { state: "ok", commits: [] };
  return moment.since(startHead);
}

function commitList(range: CommitRange): string[] {
  return range.state === "ok"
    ? range.commits.map(({ short }) => short)
    : [range.state === "diverged" ? "diverged" : "unknown"];
}

/** The bodies of the episode's checkpoints that can still be read, oldest first; their paths are never shown. */
function checkpointTexts(checkout: Checkout, envelope: Envelope): string[] {
  return envelope.checkpoints.flatMap((path) => {
    const file = path.split("/").at(-1) ?? "";
    const text = readRecordText(join(checkout.layout.checkpoints, file));
    const split = text.ok ? splitFrontMatter(text.value) : undefined;
    return split?.ok === true ? [split.value.body.trim()] : [];
  });
}

/**
 * Composes the closed record of an episode that ends in its own checkout: identity from git, references from
 * the episode's ledger lines, the body from the summary or derived (records.md 3.5, 9.3). At most three git
 * processes, fewer where the moment knows already.
 */
export function composeClosed(
  checkout: Checkout,
  entry: RosterEntry,
  lines: readonly LedgerLine[],
  outcome: "closed" | "interrupted",
  summary: string | undefined,
  moment: Moment = new Moment(checkout.repository, checkout.head),
): ClosedSession {
  const facts = episodeFacts(entry);
  const envelope = deriveEnvelope(lines);
  const tree = moment.tree();
  const commits = commitsOf(moment, facts.start_head);
  const here = readTaskHere(checkout);
  const own = ownTaskOf(here);
  const doubt = taskDoubt(here);
  const now = formatTimestamp(checkout.clock.now());
  const asked = knownQuestions(checkout.layout.questions);
  const body =
    summary ??
    composeBody(
      {
        branch: checkout.branch,
        head: headText(checkout),
        startHead: facts.start_head,
        workingTree: tree.ok ? tree.value.state : "unknown",
        outcome,
        commits,
        changedFiles: changedCount(moment, facts.start_head, tree.ok ? tree.value.changed : []),
        issues: envelope.issues,
        checkpoints: checkpointTexts(checkout, envelope),
        decisions: envelope.decisions,
        openQuestions: asked.open.map(({ question }) => question),
        questionsDoubt: asked.doubt,
        taskDoubt: doubt,
        ...(own === undefined ? {} : { task: { id: own.id, outcome: own.outcome } }),
      },
      checkout.settings.policy.session.record_sections,
      checkout.settings.policy.context.max_list_items,
    );
  return {
    schema: "session/v1",
    kind: "session",
    created_at: now,
    // An absent key and "none" are different facts (records.md 3.5).
    ...(doubt === undefined ? { task_id: own?.id ?? "none", profile: own?.profile ?? "none" } : {}),
    repository_id: sharedRepositoryId(checkout.repository, checkout.branch),
    worktree_id: checkout.worktreeId,
    branch: checkout.branch,
    head: headText(checkout),
    ...(tree.ok ? { working_tree: tree.value.state } : {}),
    changed_files: tree.ok ? workingChanges(checkout, tree.value.changed) : [],
    session_id: entry.sessionId,
    started_at: facts.started_at,
    closed_at: now,
    outcome,
    title: own?.title ?? `Session ${entry.sessionId} on ${checkout.branch}`,
    ...(facts.worker === undefined ? {} : { worker: facts.worker }),
    start_head: facts.start_head,
    ...(facts.start_working_tree === "" ? {} : { start_working_tree: facts.start_working_tree }),
    commits: commitList(commits),
    ...envelope,
    milestones: [],
    body,
  };
}

function changedCount(moment: Moment, startHead: string, working: readonly string[]): number | undefined {
  if (!isCommitId(startHead) || moment.head === undefined) return working.length;
  const between = moment.changedSince(startHead);
  return between.ok ? new Set([...between.value, ...working]).size : undefined;
}
