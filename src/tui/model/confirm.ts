import type { Question } from "../mode.ts";
import { actionDetail } from "./detail.ts";
import { fact, factLines, factList } from "./facts.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { counted, pathFrom, shortPath } from "./names.ts";

interface Width {
  width: number;
  home: string | undefined;
}

function recoverLines(
  question: Extract<Question, { kind: "recover" }>,
  { width, home }: Width,
): readonly Line[] {
  const wanted = new Set(question.only);
  const actions = question.plan.actions.filter((action) => wanted.has(action.id));
  const { skipped } = question.plan;
  return [
    ...(question.changed
      ? [
          [span("The plan changed since it was shown, and nothing was done. This is the plan now.", "warn")],
          [],
        ]
      : []),
    ...(actions.length === 0 ? [[span("There is nothing left to do.", "muted")]] : []),
    ...actions.flatMap((action, index): Line[] => [
      ...(index === 0 ? [] : [[]]),
      ...actionDetail(action, { width, home, root: question.root }),
    ]),
    ...(skipped.length === 0
      ? []
      : [[], [span(`Skipped, ${counted(skipped.length, "candidate")}`, "muted")]]),
    ...skipped.flatMap((one) => fact("", `${one.subject}: ${one.reason}`, width, "muted")),
  ];
}

function closeLines(
  { root, episode }: Extract<Question, { kind: "close" }>,
  { width, home }: Width,
): readonly Line[] {
  const alive = episode.worker_state === "alive";
  return [
    [
      span("close ", "muted"),
      span(show(episode.session_id), "plain", true),
      span(" as "),
      span("interrupted", "warn"),
    ],
    ...(alive
      ? [[span("Its worker is alive and will open a new episode with its next prompt.", "warn")]]
      : []),
    ...fact("worker", episode.worker_note ?? episode.worker_state, width),
    ...fact("branch", episode.branch, width),
    ...fact(
      "worktree",
      episode.worktree === undefined ? undefined : shortPath(episode.worktree, home),
      width,
    ),
    ...factList(
      "writes",
      ["one closed record, outcome interrupted", "session.closed in the ledger"],
      width,
      "accent",
    ),
    ...fact("removes", pathFrom(root, episode.path, home), width, "warn"),
  ];
}

function leaveLines({ running, drafts }: Extract<Question, { kind: "leave" }>): readonly Line[] {
  const work: readonly Line[] =
    running === undefined
      ? []
      : [
          [span(show(running), "plain", true), span(" is still running.")],
          [span("Leaving cancels it. What it has already written stays, whole.", "muted")],
        ];
  const texts: readonly Line[] =
    drafts === 0
      ? []
      : [
          [span(counted(drafts, "draft"), "plain", true), span(" not stored.")],
          [span("Leaving forgets what was written there.", "muted")],
        ];
  return work.length > 0 && texts.length > 0 ? [...work, [], ...texts] : [...work, ...texts];
}

/** What will be written and on what evidence, before it is. */
export function questionLines(question: Question, width: Width): readonly Line[] {
  if (question.kind === "recover") return recoverLines(question, width);
  if (question.kind === "close") return closeLines(question, width);
  if (question.kind === "propose") return factLines(question.proposal.says, width.width);
  return leaveLines(question);
}

export function questionTitle(question: Question): string {
  if (question.kind === "leave") return "Leave?";
  if (question.kind === "close") return "Close this episode?";
  if (question.kind === "propose") return question.proposal.title;
  return question.only.length === 1 ? "Recover this?" : `Recover these ${question.only.length}?`;
}
