import type {
  CapsuleFile,
  CapsuleListAnswer,
  CapsuleResumeAnswer,
  CapsuleSelectAnswer,
  CapsuleShowAnswer,
  CapsuleValues,
} from "../../src/core/capsule/answers.ts";
import { ago, ROOT } from "./console-times.ts";

/** Answers about capsules, as capabilities give them. */

const MEMORY = { root: `${ROOT}/.ai/local/memory`, exists: true, diverted: false } as const;

export const SELECTED: CapsuleValues = {
  id: "parser-streaming",
  name: "parser-streaming.md",
  path: `${ROOT}/.ai/local/memory/capsules/parser-streaming.md`,
  status: "active",
  objective: "Move the parser to streaming reads",
  waiting_on: "the build",
  next_valid_action: "Run the suite again",
  created: ago(180),
  created_at: ago(180),
  autosave: false,
  stale: false,
  placeholder: false,
  problems: [],
};

function file(name: string, more: Partial<CapsuleFile>): CapsuleFile {
  return {
    name,
    verdict: "not-newest",
    ordinary: true,
    id: name.replace(".md", ""),
    autosave: false,
    ...more,
  };
}

export const FILES: readonly CapsuleFile[] = [
  file("broken.md", {
    verdict: "missing-required-field",
    detail: "waiting_on",
    field: "waiting_on",
    ordinary: false,
  }),
  file("older.md", { field: "created_at", created_at: ago(3000), objective: "An older one" }),
  file("parser-streaming.md", { verdict: "selected", status: "active", created_at: ago(180) }),
  file("spent.md", { verdict: "already-consumed", detail: "resumed", field: "status", autosave: true }),
];

const LIST: CapsuleListAnswer = { schema: 1, memory: MEMORY, total: 4, files: [...FILES] };

export const SELECTION: CapsuleSelectAnswer = {
  schema: 1,
  memory: MEMORY,
  capsule: SELECTED,
  fell_back_to_placeholder: false,
  total: 4,
  groups: [
    { reason: "already-consumed", detail: "resumed", count: 1, names: ["spent.md"], ordinary: true },
    {
      reason: "missing-required-field",
      detail: "waiting_on",
      count: 1,
      names: ["broken.md"],
      ordinary: false,
    },
    { reason: "not-newest", count: 1, names: ["older.md"], ordinary: true },
  ],
  rejected: [],
};

const SHOWN: CapsuleShowAnswer = {
  schema: 1,
  capsule: SELECTED,
  verdict: "selected",
  framing: ["the heading ## Done is missing"],
  text: "---\nid: parser-streaming\n---\n\nThe reader streams.\n",
};

export const PROCEDURE: CapsuleResumeAnswer = {
  schema: 1,
  capsule: SELECTED,
  degraded: false,
  spent: false,
  rejected: [],
  boot_session: null,
  extension: {
    resume_ack: null,
    capsule_ack: null,
    resume_preload: [],
    resume_reground: [],
    warning: null,
  },
  procedure: "[RESUME VERB] Boot after a clear.\n\nSTEPS\n1. LOAD: done.",
};

/** Each of these capabilities' answer, by its id. */
export function capsuleAnswers(): Record<string, unknown> {
  return {
    "capsule.list": LIST,
    "capsule.select": SELECTION,
    "capsule.show": SHOWN,
    "capsule.procedure": PROCEDURE,
    "capsule.validate": {
      schema: 1,
      findings: [
        { level: "FAIL", category: "capsules", subject: "broken.md", message: "waiting_on is missing" },
      ],
    },
    "capsule.resolve": {
      schema: 1,
      state: "settled",
      name: "older.md",
      before: "active",
      status: "resolved",
    },
    "capsule.abandon": {
      schema: 1,
      state: "kept",
      name: "older.md",
      before: "abandoned",
      status: "abandoned",
    },
  };
}
