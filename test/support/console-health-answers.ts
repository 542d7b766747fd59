import type { CheckAnswer, FindingsAnswer } from "../../src/core/health/answers.ts";
import type { ProvidersAnswer, RuntimeAnswer } from "../../src/core/lifecycle/answers.ts";
import type { PeersAnswer, ServerAnswer } from "../../src/core/serving/answers.ts";
import { ago } from "./console-times.ts";

/** Answers of the judges and about what surrounds them, as capabilities give them. */

const SILENT = {
  category: "hooks",
  subject: "hooks",
  message: "no provider hook is installed",
  reproduce: "majordomus hooks status claude-code",
};
const LOST = {
  category: "episodes",
  subject: "demo",
  message: "its worker is gone",
  reproduce: "majordomus recover",
};

const DOCTOR: FindingsAnswer = {
  schema: 1,
  findings: [
    { level: "OK", category: "ledger", subject: "ledger.jsonl", message: "1204 line(s), all whole" },
    { level: "FAIL", ...SILENT },
    { level: "WARN", ...LOST },
    { level: "INFO", category: "environment", subject: "node", message: "20.20.2" },
  ],
};

const WATCH: FindingsAnswer = { schema: 1, findings: [{ level: "DRIFT", ...LOST }] };

export const CHECK: CheckAnswer = {
  schema: 1,
  task: {
    id: "t-1",
    title: "split",
    outcome: "active",
    profile: "debugging",
    scope: ["lib"],
    foreign: false,
  },
  findings: [{ level: "OK", category: "scope", subject: "t-1", message: "all inside" }],
  overlaps: [
    {
      worktree: "/home/mira/wt/io",
      task_id: "t-2",
      task: "fix the reader",
      path: "lib",
      relation: "contains",
      other: "lib/io",
    },
  ],
};

const RUNTIME: RuntimeAnswer = {
  root: "/home/mira/app",
  served_head: "3f2a9c1d3f2a9c1d",
  served_branch: "main",
  repository_head: "77aa9c1d3f2a9c1d",
  repository_branch: "main",
  agree: false,
  objects: 12,
  index_state: "ok",
  note: "answers are about an older commit",
};

const PROVIDERS: ProvidersAnswer = {
  providers: [
    {
      id: "claude-code",
      title: "Claude Code",
      lifecycle: ["SessionStart", "Stop"],
      prompt_capture: "hook UserPromptSubmit (prompt)",
      last_received: { SessionStart: ago(30), Stop: ago(2) },
      note: "its hooks can be installed",
    },
    { id: "codex", title: "OpenAI Codex CLI", lifecycle: ["Stop"], prompt_capture: "none", note: "kept" },
  ],
  with_lifecycle: 2,
};

export const SERVER: ServerAnswer = {
  standing: "ready",
  note: "process 4711 answers at http://127.0.0.1:8741",
  root: "/home/mira/app",
  url: "http://127.0.0.1:8741",
  pid: 4711,
  version: "0.1.0",
  executable: "/opt/majordomus/bin/majordomus",
  begun_at: ago(45),
  served_head: "3f2a9c1d3f2a9c1d",
  served_branch: "main",
  repository_head: "77aa9c1d3f2a9c1d",
  repository_branch: "main",
  agree: false,
};

const PEERS: PeersAnswer = {
  standing: "ready",
  note: "process 4711 answers",
  peers: [
    {
      id: "s-20260904120000-fc51",
      name: "codex",
      attached_at: ago(40),
      last_seen_seconds_ago: 12,
      connected: true,
      claims: [
        { text: "moving the parser", paths: ["/home/mira/app/src/parser"], announced_at: ago(7) },
        { text: "reading the tests", announced_at: ago(30) },
      ],
    },
    {
      id: "p-0a1b2c3d",
      attached_at: ago(3),
      last_seen_seconds_ago: 160,
      connected: false,
      claims: [],
    },
  ],
};

/** Each of these capabilities' answer, by its id. */
export function healthAnswers(): Record<string, unknown> {
  return {
    doctor: DOCTOR,
    "check.run": CHECK,
    "watch.run": WATCH,
    "lifecycle.runtime": RUNTIME,
    "lifecycle.providers": PROVIDERS,
    server: SERVER,
    peers: PEERS,
  };
}
