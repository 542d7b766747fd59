import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const recover = defineCommand({
  path: ["recover"],
  summary: "put right what a lost worktree or a killed process left behind",
  arguments: [
    {
      name: "subject",
      choices: ["status", "orphans", "episodes", "records", "all"],
      summary: "what to recover; status, which changes nothing, when not given",
    },
  ],
  options: [
    { name: "check", summary: "only say what would be done; 10 when there is something" },
    { name: "dry-run", summary: "the same as --check" },
    {
      name: "older-than",
      value: "D",
      summary: "90s, 15m, 12h: in place of the policy's session.stranded_after",
    },
  ],
  examples: [
    { command: "majordomus recover all --check", summary: "what would be done, and on what evidence" },
    {
      command: "majordomus recover episodes",
      summary: "close the episodes whose worker or worktree is gone",
    },
  ],
  run: async (invocation) => {
    const { recoverCheckout } = await import("../actions/recover.ts");
    const { options } = invocation;
    const subject = invocation.arguments.subject ?? "status";
    return recoverCheckout(invocation, {
      subject,
      older_than: options["older-than"],
      apply: subject !== "status" && !options.check && !options["dry-run"],
      check: subject !== "status" || options.check || options["dry-run"],
    });
  },
});

export const recoverCommands: readonly CommandDeclaration[] = [recover];
