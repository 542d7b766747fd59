import type { PlanAnswer } from "../../src/core/continuity/plan-answer.ts";
import type { RecordsAnswer, StatusAnswer } from "../../src/core/continuity/status.ts";
import type { SyncAnswer } from "../../src/core/continuity/sync.ts";
import type { VerifyAnswer } from "../../src/core/continuity/verify.ts";
import type { TravellingRecord } from "../../src/tui/model/rows.ts";
import { ago } from "./console-times.ts";

/** Answers about records that travel between machines, as capabilities give them. */

export function recordId(tail: string): string {
  return tail.padEnd(32, "0");
}

function travelling(tail: string, minutes: number, more: Partial<TravellingRecord> = {}): TravellingRecord {
  return {
    id: recordId(tail),
    line: recordId("aaaa"),
    device: { node: recordId("d1"), label: "laptop" },
    this_device: true,
    trust: "this_device",
    branch: "main",
    head: "3f2a9c1d",
    working_tree: "clean",
    changed_total: 0,
    published_at: ago(minutes),
    objective: "Split the parser",
    ...more,
  };
}

const DESKTOP = {
  device: { node: recordId("d2"), label: "desktop" },
  this_device: false,
  trust: "trusted",
} as const;

/** One line with two ends, and another that waits. */
export const RECORDS: readonly TravellingRecord[] = [
  travelling("bbbb", 60, {
    ...DESKTOP,
    line: recordId("bbbb"),
    branch: "fix/io",
    objective: "Fix the reader",
  }),
  travelling("a3", 120, { parent: recordId("a1") }),
  travelling("a2", 180, { ...DESKTOP, parent: recordId("a1") }),
  travelling("a1", 240),
];

const LINES: StatusAnswer["lines"] = [
  { id: recordId("aaaa"), state: "diverged", records: 3, heads: [recordId("a3"), recordId("a2")] },
  { id: recordId("bbbb"), state: "linear", records: 1, heads: [recordId("bbbb")] },
];

export const STATUS: StatusAnswer = {
  repository: recordId("f"),
  device: { node: recordId("d1"), label: "laptop", public_key: "33623c9f".padEnd(64, "0") },
  branch: "main",
  working_tree: "dirty",
  position: { line: recordId("aaaa"), record: recordId("a3"), via: "published", at: ago(120) },
  store: {
    reference: "refs/majordomus/continuity",
    remote: "origin",
    sync: "pending",
    records: 4,
    refused: 0,
  },
  last_sync: { remote: "origin", at: ago(30), outcome: "ok" },
  lines: LINES,
  resumable: RECORDS.slice(0, 1),
  diagnostics: [
    {
      severity: "warning",
      code: "continuity.diverged",
      message: "was continued 2 times",
      subject: recordId("aaaa"),
    },
  ],
};

const LIST: RecordsAnswer = { records: [...RECORDS], lines: LINES, refused: [], diagnostics: [] };

function way(
  record: TravellingRecord | undefined,
  next: string,
): NonNullable<PlanAnswer["continuations"]>[number] {
  return {
    record: record ?? travelling("x", 1),
    chosen: false,
    here: false,
    next_action: next,
    decisions: [],
    decisions_only: [],
  };
}

export const PLAN_READY: PlanAnswer = {
  status: "ready_with_warnings",
  ...(RECORDS[0] === undefined ? {} : { record: RECORDS[0] }),
  blockers: [],
  warnings: [{ code: "local_dirty", message: "2 uncommitted change(s) here" }],
  actions: [{ command: "majordomus continuity resume --record bbbb", reason: "writes the handover" }],
  restores: ["handover", "decisions"],
  recomputes: ["episode"],
  objective: "Fix the reader",
  next_action: "Run the suite",
  continuations: [way(RECORDS[1], "ask the printer"), way(RECORDS[2], "compare the pages")],
};

export const PLAN_CONFLICT: PlanAnswer = {
  ...PLAN_READY,
  status: "conflict",
  blockers: [{ code: "would_diverge", message: "this checkout continued the same work otherwise" }],
};

const SYNCED: SyncAnswer = {
  remote: "origin",
  action: "exchanged",
  outcome: "ok",
  fetched: 2,
  published: 1,
  restored: 0,
  lines: [],
  store: STATUS.store,
  resumable: RECORDS.slice(0, 1),
  diagnostics: [],
};

const PROVED: VerifyAnswer = {
  holds: false,
  reference: "refs/majordomus/continuity",
  repository: recordId("f"),
  records: 1,
  broken: {
    record: recordId("bbbb"),
    code: "continuity.signature",
    message: "the signature is not of these bytes",
  },
  chain: [
    {
      record: recordId("bbbb"),
      path: "records/bbbb.json",
      blob: "1",
      holds: false,
      message: "the signature is not of these bytes",
      head_here: false,
    },
  ],
};

/** Each of these capabilities' answer, by its id. */
export function syncAnswers(): Record<string, unknown> {
  return {
    "continuity.status": STATUS,
    "continuity.records": LIST,
    "continuity.plan": PLAN_READY,
    "continuity.sync": SYNCED,
    "continuity.publish": {
      record: RECORDS[1],
      written: true,
      handover: ".ai/local/state/handovers/h.md",
      next: [],
    },
    "continuity.resume": {
      resumed: true,
      plan: PLAN_READY,
      handover: ".ai/local/state/handovers/new.md",
      decisions_carried: 2,
    },
    "continuity.hide": { record: RECORDS[0], hidden: true, changed: true },
    "continuity.verify": PROVED,
  };
}
