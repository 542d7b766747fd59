/** What each slice asks. Apart from the schemas of the answers, so that the entry can ask without them. */
export type SliceName =
  | "state"
  | "episodes"
  | "recovery"
  | "plan"
  | "history"
  | "closed"
  /** The ledger lines of the selected episode. */
  | "lines"
  /** What a search of the ledger found. */
  | "found"
  | "handover"
  | "checkpoint"
  | "questions"
  | "decisions"
  /** What policy and profile ask of the work. */
  | "terms"
  /** How the task stands to its contract. */
  | "contract"
  /** What a new worker would be told at its start. */
  | "told"
  | "doctor"
  | "check"
  | "watch"
  | "runtime"
  /** What waits for review. */
  | "candidates"
  /** The selected candidate whole. */
  | "candidate"
  /** Every capsule on disk with its verdict. */
  | "capsules"
  /** The one that would be resumed. */
  | "selection"
  /** The selected row's capsule whole. */
  | "capsule"
  /** What a clear would print now. */
  | "procedure"
  /** Where this checkout stands among the machines. */
  | "sync"
  /** Every record that travels. */
  | "travelling"
  /** What resuming the selected one would do. */
  | "resumePlan"
  /** What became of the selected record's commit. */
  | "hints"
  | "providers"
  /** Where the shared server stands. */
  | "server"
  /** Who is on its board. */
  | "peers";

export interface SliceQuestion {
  capability: string;
  /** Undefined for a question that depends on the person. */
  input?: unknown;
  /** The capability writes when it is asked with another input. @default false */
  mayWrite?: boolean;
}

const HISTORY_LIMIT = 1000;

export const QUESTIONS: Readonly<Record<SliceName, SliceQuestion>> = {
  state: { capability: "continuity.state", input: {} },
  episodes: { capability: "lifecycle.episodes", input: {} },
  recovery: { capability: "lifecycle.recovery", input: {} },
  plan: { capability: "recover.plan", input: { subject: "all" } },
  history: { capability: "history.query", input: { limit: HISTORY_LIMIT } },
  closed: { capability: "lifecycle.closed", input: {} },
  lines: { capability: "history.query" },
  found: { capability: "history.query" },
  handover: { capability: "handover.resolve", input: {} },
  checkpoint: { capability: "checkpoint.show", input: {} },
  questions: { capability: "question.list", input: {} },
  decisions: { capability: "decision.list", input: {} },
  terms: { capability: "policy.explain", input: {} },
  contract: { capability: "finish.run", input: { check: true }, mayWrite: true },
  told: { capability: "briefing.preview", input: {} },
  doctor: { capability: "doctor", input: {} },
  check: { capability: "check.run", input: { overlap: true } },
  watch: { capability: "watch.run", input: {} },
  runtime: { capability: "lifecycle.runtime", input: {} },
  candidates: { capability: "knowledge.candidates", input: {} },
  candidate: { capability: "knowledge.show" },
  capsules: { capability: "capsule.list", input: {} },
  selection: { capability: "capsule.select", input: {} },
  capsule: { capability: "capsule.show" },
  procedure: { capability: "capsule.procedure", input: { brief: true } },
  sync: { capability: "continuity.status", input: {} },
  travelling: { capability: "continuity.records", input: {} },
  resumePlan: { capability: "continuity.plan" },
  hints: { capability: "record.hints" },
  providers: { capability: "lifecycle.providers", input: {} },
  server: { capability: "server", input: {} },
  peers: { capability: "peers", input: {} },
};

/**
 * Judgements that look at everything: however much happens, they are asked again only when so many
 * milliseconds have passed, unless a person asks.
 */
export const RESTS: Readonly<Partial<Record<SliceName, number>>> = {
  doctor: 60_000,
  watch: 60_000,
  check: 15_000,
  candidates: 5000,
  sync: 2000,
  travelling: 2000,
};

/** From so long a rest on a person is told that something changed since, and how not to wait, milliseconds. */
const TOLD_REST = 10_000;

/** Whether an answer may stand for long although what it was made of has changed. */
export function restsLong(name: SliceName): boolean {
  return (RESTS[name] ?? 0) >= TOLD_REST;
}

/** What the first screen shows, the cheapest first. */
export const FIRST: readonly SliceName[] = ["state", "episodes", "recovery", "history"];

/** After an act a person looks at what it did: only what judges everything still rests, milliseconds. */
export const ACT_PATIENCE = 10_000;
