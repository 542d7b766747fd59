import type { LedgerLine } from "../ledger/line.ts";

/** The reference lists of a closed record, in the order of their first appearance (records.md 3.6). */
export interface Envelope {
  tasks: string[];
  issues: string[];
  checkpoints: string[];
  handovers: string[];
  decisions: string[];
  questions: string[];
  evidence: string[];
}

type Reference = readonly [
  list: keyof Envelope,
  read: (field: (key: string) => string | undefined) => string | undefined,
];

const fieldOf =
  (key: string) =>
  (field: (key: string) => string | undefined): string | undefined =>
    field(key);

const task: Reference = ["tasks", fieldOf("task_id")];
const issue: Reference = ["issues", fieldOf("issue")];

/** Which event adds to which list, from which field of its payload. */
const REFERENCES: ReadonlyMap<string, readonly Reference[]> = new Map([
  ["task.started", [task]],
  ["task.checkpoint", [task, ["checkpoints", fieldOf("checkpoint_path")]]],
  ["task.handed_over", [task, ["handovers", fieldOf("handover_path")]]],
  ["task.finished", [task]],
  ["decision.recorded", [["decisions", fieldOf("decision")]]],
  ["question.opened", [["questions", fieldOf("question")]]],
  ["question.resolved", [["questions", fieldOf("question")]]],
  ["plan_start", [issue]],
  ["plan_verify", [issue]],
  ["plan_done", [issue]],
  [
    "plan_evidence",
    [
      issue,
      [
        "evidence",
        (field) => {
          const [owner, covers] = [field("issue"), field("covers")];
          return owner === undefined || covers === undefined ? undefined : `${owner}:${covers}`;
        },
      ],
    ],
  ],
]);

/**
 * Derives an episode's references from its own ledger lines, in file order. Never from a time range: two
 * workers write one ledger, and no timestamp can separate them.
 *
 * @param lines the lines stamped with the episode, and no others
 */
export function deriveEnvelope(lines: readonly LedgerLine[]): Envelope {
  const lists: Record<keyof Envelope, Set<string>> = {
    tasks: new Set(),
    issues: new Set(),
    checkpoints: new Set(),
    handovers: new Set(),
    decisions: new Set(),
    questions: new Set(),
    evidence: new Set(),
  };
  for (const line of lines) {
    const field = (key: string): string | undefined => {
      const value = line.fields.get(key);
      return typeof value === "string" && value !== "" && value !== "none" ? value : undefined;
    };
    for (const [list, read] of REFERENCES.get(line.event) ?? []) {
      const value = read(field);
      if (value !== undefined) lists[list].add(value);
    }
  }
  return {
    tasks: [...lists.tasks],
    issues: [...lists.issues],
    checkpoints: [...lists.checkpoints],
    handovers: [...lists.handovers],
    decisions: [...lists.decisions],
    questions: [...lists.questions],
    evidence: [...lists.evidence],
  };
}
