import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const check = defineCommand({
  path: ["check"],
  summary: "judge the work of the task: scope, checkpoint, blockers, stores; 10 when something fails",
  options: [
    { name: "checkpoint", summary: "also move the task's time of the last checkpoint to now" },
    { name: "explain", summary: "also print the policy and the profile that govern the task" },
    { name: "overlap", summary: "also compare the scope with the active tasks of other worktrees" },
  ],
  notes: ["12 without a task. A task of another checkout is reported, and nothing of it is enforced."],
  run: async (invocation) => {
    const { runCheck } = await import("../actions/gate.ts");
    return runCheck(invocation, invocation.options);
  },
});

const finish = defineCommand({
  path: ["finish"],
  summary: "end the task, if it keeps its contract; 10 when a clause is not met, and nothing is written",
  options: [
    {
      name: "outcome",
      value: "what",
      choices: ["completed", "partial", "blocked", "no_match", "failed"],
      summary: "how it ended",
    },
    {
      name: "verify-command",
      value: "C",
      summary: "what the shell runs in the repository's root to verify the work; it must end with 0",
    },
    { name: "note", value: "F", summary: "the completion note, or - for standard input" },
    {
      name: "check",
      summary: "only judge scope and state; write nothing",
      without: ["verify-command", "note"],
    },
  ],
  notes: [
    "Without --note the newest handover that names the task is the note. The sections that it needs: those of " +
      "the policy for completed, # Next Action for partial and blocked, # Reason for no_match and failed.",
  ],
  examples: [
    {
      command: 'majordomus finish --outcome completed --verify-command "npm test"',
      summary: "verify, judge, and end the task",
    },
    { command: "majordomus finish --check", summary: "would scope and state be accepted?" },
  ],
  run: async (invocation) => {
    const { runFinish } = await import("../actions/finish.ts");
    return runFinish(invocation, invocation.options);
  },
});

export const gateCommands: readonly CommandDeclaration[] = [check, finish];
