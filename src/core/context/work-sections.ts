import { stampOf } from "../fs/read.ts";
import { byBytes } from "../git/byte-order.ts";
import { isInScope } from "../labels/scope.ts";
import { readHistory } from "../ledger/history.ts";
import { readDecisions, supersededDecisions } from "../records/decisions.ts";
import type { Decision } from "../records/decisions.ts";
import { readQuestions } from "../records/questions.ts";
import type { Section } from "./document.ts";
import { DROP_RANK, safe, sectionUnlessEmpty } from "./request.ts";
import type { ContextSources } from "./request.ts";

/** Recent events stand at the end of the ledger: older ones need not be read. */
const HISTORY_TAIL_BYTES = 512 * 1024;

/** Why something of the task is left out where no task is known. */
export function withoutTask(doubt: string | undefined, none: string): string {
  return doubt === undefined ? none : "whose task it would be is unknown";
}

/** The open questions of the task; of everybody where there is no task. */
export function questionSection({ checkout, task, excluded }: ContextSources): Section {
  const questions = readQuestions(checkout.layout.questions);
  const section = { id: "questions", heading: "OPEN QUESTIONS" };
  if (!questions.ok) {
    excluded.push({ item: "questions", reason: safe(questions.error) });
    return { ...section, lines: ["- the question file cannot be read"] };
  }
  const { open, malformed } = questions.value;
  const asked = task === undefined ? open : open.filter((question) => question.task === task.id);
  const maximum = checkout.settings.policy.context.max_list_items;
  const others = open.length - asked.length;
  if (others > 0) {
    excluded.push({
      item: `${others} open question(s)`,
      reason: "of other tasks; they refuse a completed finish too",
    });
  }
  if (asked.length > maximum) {
    excluded.push({
      item: `${asked.length - maximum} open question(s)`,
      reason: "beyond context.max_list_items",
    });
  }
  if (malformed.length > 0) {
    excluded.push({ item: `${malformed.length} question line(s)`, reason: "do not parse" });
  }
  const lines = asked
    .slice(0, maximum)
    .map(({ question, task: owner, date }) => `- ${safe(question)} (${safe(owner)}, ${date})`);
  return { ...section, lines: lines.length === 0 ? ["- none"] : lines };
}

function decisionLines({ heading, why, rejected }: Decision): string[] {
  return [
    `- ${safe(heading)}`,
    ...(why === undefined ? [] : [`  why: ${safe(why)}`]),
    ...(rejected === undefined || rejected === "-" ? [] : [`  rejected: ${safe(rejected)}`]),
  ];
}

/**
 * What was decided and stands: in the task, or, where the profile wants the architecture, in the repository. What a
 * later decision replaced is left out and named: a worker would follow both.
 */
export function decisionSection({ checkout, task, taskDoubt, profile, excluded }: ContextSources): Section[] {
  if (profile === undefined) return [];
  const everywhere = profile.context.architecture_notes;
  if (!everywhere && !profile.context.decisions) {
    excluded.push({ item: "decisions", reason: `the profile ${safe(profile.name)} leaves them out` });
    return [];
  }
  if (!everywhere && task === undefined) {
    excluded.push({
      item: "decisions",
      reason: withoutTask(taskDoubt, "there is no task whose they would be"),
    });
    return [];
  }
  const decisions = readDecisions(checkout.layout.decisions);
  if (!decisions.ok) {
    excluded.push({ item: "decisions", reason: safe(decisions.error) });
    return [];
  }
  const superseded = supersededDecisions(decisions.value);
  const ours = everywhere ? decisions.value : decisions.value.filter((entry) => entry.task === task?.id);
  const wanted = ours.filter((entry) => !superseded.has(entry));
  if (wanted.length < ours.length) {
    const successors = new Set(ours.flatMap((entry) => superseded.get(entry)?.heading ?? []));
    excluded.push({
      item: `${ours.length - wanted.length} superseded decision(s)`,
      reason: safe(`replaced by ${[...successors].join(", ")}`),
    });
  }
  const maximum = checkout.settings.policy.context.recent_decisions;
  const newest = wanted.slice(Math.max(0, wanted.length - maximum)).toReversed();
  if (wanted.length > newest.length) {
    excluded.push({
      item: `${wanted.length - newest.length} older decision(s)`,
      reason: "beyond context.recent_decisions",
    });
  }
  const lines = newest.flatMap(decisionLines);
  return [
    {
      id: "decisions",
      heading: "DECISIONS",
      lines: lines.length === 0 ? ["- none"] : lines,
      dropRank: DROP_RANK.decisions,
    },
  ];
}

/** What the task has touched so far, committed or not, within its scope. */
export function fileSection({
  checkout,
  task,
  taskDoubt,
  profile,
  moment,
  excluded,
}: ContextSources): Section[] {
  if (profile === undefined || !profile.context.relevant_files) {
    if (profile !== undefined) {
      excluded.push({ item: "files", reason: `the profile ${safe(profile.name)} leaves them out` });
    }
    return [];
  }
  if (task === undefined) {
    excluded.push({ item: "files", reason: withoutTask(taskDoubt, "there is no task, so no scope") });
    return [];
  }
  const committed = moment.changedSince(task.head);
  if (!committed.ok) {
    excluded.push({ item: "committed files", reason: safe(committed.error) });
  }
  const tree = moment.tree();
  const touched = [...(committed.ok ? committed.value : []), ...(tree.ok ? tree.value.changed : [])];
  const inside = [...new Set(touched)].filter((path) => isInScope(path, task.scope)).toSorted(byBytes);
  const maximum = checkout.settings.policy.context.max_list_items;
  if (inside.length > maximum) {
    excluded.push({ item: `${inside.length - maximum} file(s)`, reason: "beyond context.max_list_items" });
  }
  const lines = inside.slice(0, maximum).map((path) => `- ${safe(path)}`);
  return [
    {
      id: "files",
      heading: "FILES TOUCHED IN SCOPE",
      lines: lines.length === 0 ? ["- none"] : lines,
      dropRank: DROP_RANK.files,
    },
  ];
}

/** The newest events of the ledger, as many as the profile wants. */
export function historySection({ checkout, profile, excluded }: ContextSources): Section[] {
  if (profile === undefined) return [];
  const depth = profile.context.recent_history_depth;
  if (depth === 0) {
    excluded.push({ item: "history", reason: `the profile ${safe(profile.name)} asks for none` });
    return [];
  }
  const size = stampOf(checkout.layout.ledger)?.size ?? 0;
  const from = Math.max(0, size - HISTORY_TAIL_BYTES);
  const history = readHistory(checkout.layout.ledger, { limit: depth }, from);
  const lines = history.lines.map(({ ts, event, summary }) => safe(`- ${ts} ${event} ${summary}`.trimEnd()));
  return sectionUnlessEmpty({
    id: "history",
    heading: "RECENT HISTORY",
    lines: lines.length === 0 ? ["- none"] : lines,
    dropRank: DROP_RANK.history,
  });
}
