import type * as z from "zod/mini";
import type { ExplainAnswer, FinishAnswer } from "../../src/core/health/answers.ts";
import type {
  DecisionListAnswer,
  QuestionListAnswer,
  RecordDetail,
  TaskStartAnswer,
  WrittenAnswer,
} from "../../src/core/task/answers.ts";
import { ago } from "./console-times.ts";

/** Answers about the work of a checkout, as capabilities give them. */

const TASK = "t-20260904120100-0a1b";

export const HANDOVER: RecordDetail = {
  path: ".ai/local/state/handovers/20260904T150000Z--main--3f2a9c1--c0ffee.md",
  created_at: ago(180),
  task_id: TASK,
  branch: "main",
  head: "3f2a9c1d",
  match: "same_worktree_same_branch",
  divergence: "advanced",
  divergence_reason: "two commits since",
  freshness: "fresh",
  freshness_reason: "3h old; fresh until 12h",
  next_action: "run the suite again",
  body: "# Objective\n\nSplit the parser.\n\n# Next Action\n\nrun the suite again\n",
};

export const CHECKPOINT: RecordDetail = {
  ...HANDOVER,
  path: ".ai/local/state/checkpoints/20260904T173000Z--main--3f2a9c1--beef00.md",
  created_at: ago(30),
  divergence: "exact",
  divergence_reason: "recorded at this very commit",
  freshness_reason: "30m old; fresh until 12h",
  body: "The reader streams; the writer does not yet.\n",
};

export const QUESTIONS: z.infer<typeof QuestionListAnswer> = {
  schema: 1,
  open: [{ task: TASK, question: "which encoding does the export use?", date: "2026-09-04" }],
  resolved: [
    { task: TASK, question: "may blank lines be dropped?", date: "2026-09-03", answer: "no, they count" },
  ],
  malformed: [],
};

export const DECISIONS: z.infer<typeof DecisionListAnswer> = {
  schema: 1,
  decisions: [
    {
      heading: "2026-09-03 — stream, do not slurp",
      date: "2026-09-03",
      title: "stream, do not slurp",
      task: TASK,
      head: "3f2a9c1",
      why: "exports of 4 GB are real",
      rejected: "a larger heap",
      line: 3,
    },
  ],
};

const TERMS: ExplainAnswer = {
  schema: 1,
  profile_name: "debugging",
  chosen_by: "task",
  profile: {
    verification: {
      verify_command_required: true,
      regression_test_required: true,
      decision_record_required: false,
    },
    output_contract: ["outcome", "cause"],
  },
  policy: {
    verification: { finish_requires: ["scope_respected", "note_present"], required_for_changes: true },
    handover: { required_sections: ["Objective", "Next Action"] },
    checkpoint: { max_body_lines: 8 },
  },
};

const CONTRACT: FinishAnswer = {
  schema: 1,
  state: "checked",
  task_id: TASK,
  findings: [
    { level: "OK", category: "state", subject: TASK, message: "exact: recorded at this very commit" },
    {
      level: "FAIL",
      category: "scope",
      subject: TASK,
      message: "1 changed file(s) outside the scope: notes.txt",
    },
  ],
  unmet: 1,
};

const TOLD = [
  "As of 2026-09-04T18:00:00Z; replaces earlier briefs.",
  "## Majordomus — what this repository already knows",
  "Its Next Action:",
  "  run the suite again",
  "",
].join("\n");

const WRITTEN: WrittenAnswer = {
  schema: 1,
  path: ".ai/local/state/checkpoints/new.md",
  task_id: TASK,
  moved: true,
  notes: [],
};

/** What git and the ledger give for a record of their own. */
export const DERIVED =
  "At 3f2a9c1 on main, working tree dirty.\nDerived, not authored: from git and the ledger alone.\n";

/** Writes, or composes where it is only asked what would be written. */
function writeOrShow(written: unknown): (input: { dry_run?: boolean }) => unknown {
  return ({ dry_run }) =>
    dry_run === true ? { schema: 1, moved: false, notes: [], text: DERIVED } : written;
}

const STARTED: TaskStartAnswer = {
  schema: 1,
  task: {
    id: "t-20260904180000-aaaa",
    task: "widen the reader",
    profile: "implementation",
    owner: "mira",
    scope: ["src", "lib"],
    started_at: ago(0),
    branch: "main",
    head: "3f2a9c1",
    working_tree: "dirty",
  },
  archived: `.ai/local/state/archive/${TASK}.yaml`,
  overlaps: [],
  handover: null,
  checkpoint: null,
  notes: [],
};

/** Each of these capabilities' answer, by its id. */
export function workAnswers(): Record<string, unknown> {
  return {
    "handover.resolve": { schema: 1, handover: HANDOVER, skipped: [] },
    "checkpoint.show": { schema: 1, checkpoint: CHECKPOINT, skipped: [] },
    "question.list": QUESTIONS,
    "decision.list": DECISIONS,
    "policy.explain": TERMS,
    "finish.run": CONTRACT,
    "briefing.preview": { schema: 1, text: TOLD },
    "checkpoint.write": writeOrShow(WRITTEN),
    "handover.write": writeOrShow({ ...WRITTEN, path: ".ai/local/state/handovers/new.md", closed: false }),
    "task.start": STARTED,
    "question.add": { schema: 1, question: QUESTIONS.open[0] },
    "question.resolve": { schema: 1, question: QUESTIONS.resolved[0] },
    "decision.add": { schema: 1, decision: DECISIONS.decisions[0] },
  };
}
