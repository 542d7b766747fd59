import type { CheckAnswer, FindingsAnswer } from "../../src/core/health/answers.ts";
import type { ProvidersAnswer, RuntimeAnswer } from "../../src/core/lifecycle/answers.ts";
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

const CHECK: CheckAnswer = {
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

/** Each of these capabilities' answer, by its id. */
export function healthAnswers(): Record<string, unknown> {
  return {
    doctor: DOCTOR,
    "check.run": CHECK,
    "watch.run": WATCH,
    "lifecycle.runtime": RUNTIME,
    "lifecycle.providers": PROVIDERS,
  };
}
