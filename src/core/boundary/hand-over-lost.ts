import { isCommitId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { deriveEnvelope } from "../episode/envelope.ts";
import type { StrandedFacts } from "../episode/recovery-facts.ts";
import type { CommitRange } from "../git/commits.ts";
import { Moment } from "../git/moment.ts";
import { resolveRef } from "../git/refs.ts";
import { copiesDirectory } from "../journal/record-copies.ts";
import { episodeFacts } from "../journal/roster.ts";
import { textField } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";
import type { OpenQuestion } from "../records/questions.ts";
import { writeDerivedHandover } from "../task/handover.ts";
import { lostHandoverIsDue } from "../task/handover-due.ts";
import { newestCheckpoint, workLimits } from "../task/work-facts.ts";
import type { WorkFacts } from "../task/work-facts.ts";

/** Questions that the lines open and do not answer: their file went with the worktree. */
function unanswered(lines: readonly LedgerLine[]): OpenQuestion[] {
  const open = new Map<string, OpenQuestion>();
  for (const line of lines) {
    const question = textField(line, "question");
    if (question === undefined) continue;
    if (line.event === "question.opened") {
      open.set(question, {
        question,
        task: textField(line, "task_id") ?? "none",
        date: line.ts.slice(0, 10),
      });
    } else if (line.event === "question.resolved") open.delete(question);
  }
  return [...open.values()];
}

function decisionsOf(lines: readonly LedgerLine[]): WorkFacts["decisions"] {
  return lines.flatMap((line, index) => {
    const title = line.event === "decision.recorded" ? textField(line, "decision") : undefined;
    if (title === undefined) return [];
    const date = line.ts.slice(0, 10);
    return [{ heading: `${date} — ${title}`, date, title, line: index + 1 }];
  });
}

function commitsOf({ commits, commitsUnknown }: StrandedFacts): CommitRange {
  if (commitsUnknown !== undefined) return { state: "unknown", reason: commitsUnknown };
  return {
    state: "ok",
    commits: commits.map((text) => {
      const blank = text.indexOf(" ");
      return { id: "", short: text.slice(0, blank), subject: text.slice(blank + 1) };
    }),
  };
}

/** The branch's tip as git still has it, else the commit that the episode was last seen at. */
function lastHead(checkout: Checkout, { entry, lines }: StrandedFacts): string {
  const { branch, start_head: start } = episodeFacts(entry);
  const tip = branch === "DETACHED" ? undefined : resolveRef(checkout.repository, `refs/heads/${branch}`)?.id;
  return tip ?? lines.findLast(({ head }) => head !== undefined && isCommitId(head))?.head ?? start;
}

/**
 * Writes the handover that an episode of a lost worktree owes, into this checkout's store, from what its ledger
 * lines, its copies and git still know (decisions.md 1.2). It belongs to the lost worktree and its branch, and
 * whoever works on that branch finds it.
 *
 * @returns the record's path, or undefined where none is due.
 */
export function handOverLost(checkout: Checkout, stranded: StrandedFacts): string | undefined {
  const { entry, lines } = stranded;
  const identity = entry.registration?.registration.worktree_id;
  if (entry.whereabouts.kind !== "gone" || identity === undefined) return undefined;
  if (!checkout.settings.policy.session.handover_on_end) return undefined;
  const opened = episodeFacts(entry);
  const head = lastHead(checkout, stranded);
  const worked = {
    head,
    startHead: opened.start_head,
    changed: [],
    changedThen: () => undefined,
    touchedSince: () => false,
  };
  if (!lostHandoverIsDue(lines, worked)) return undefined;
  const checkpoint = newestCheckpoint(copiesDirectory(checkout, identity, "checkpoints"), lines);
  const facts: WorkFacts = {
    branch: opened.branch,
    head,
    workingTree: "unknown",
    task: undefined,
    episode: { sessionId: entry.sessionId, branch: opened.branch, startHead: opened.start_head },
    since: undefined,
    moved: { divergence: "unknown", reason: "its worktree is gone" },
    commits: commitsOf(stranded),
    changedFiles: [],
    lines,
    questions: unanswered(lines),
    decisions: decisionsOf(lines),
    checkpoint: checkpoint.body,
    finished: undefined,
    limits: workLimits(checkout),
    // What the lost worktree's own files said is known from its lines, and they could be read.
    doubts: {
      task: undefined,
      questions: undefined,
      decisions: undefined,
      checkpoint: checkpoint.doubt,
      committed: undefined,
    },
    lost: { worktree: opened.worktree, tasks: deriveEnvelope(lines).tasks },
  };
  const moment = new Moment(checkout.repository, checkout.head);
  const place = { worktree: opened.worktree, identity, branch: opened.branch, head };
  return writeDerivedHandover(checkout, facts, { noTask: true }, { session: entry.sessionId }, moment, place)
    .path;
}
