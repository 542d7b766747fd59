import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const extension = defineCommand({
  path: ["lifecycle-extension"],
  summary: "what this install declares for the two verbs: render a line of it, or print an example; always 0",
  arguments: [
    { name: "verb", choices: ["render", "example"], summary: "what to print" },
    { name: "field", choices: ["capsule_ack", "resume_ack"], summary: "which line to render" },
  ],
  options: [
    { name: "capsule-id", value: "id", summary: "the capsule that was written or loaded" },
    { name: "root", value: "dir", summary: "the install root; here when not given" },
  ],
  notes: [
    "Prints the line, or nothing and one warning on standard error. Nothing declared: no output at all.",
  ],
  examples: [
    {
      command: "majordomus lifecycle-extension render capsule_ack --capsule-id 2026-11-30-parser",
      summary: "the acknowledgement to send once a capsule is written",
    },
    {
      command: "majordomus lifecycle-extension example > .aigent/lifecycle-extension.json",
      summary: "a declaration to begin with",
    },
  ],
  run: async () => {
    const { standsFirst } = await import("../failure.ts");
    throw standsFirst("lifecycle-extension");
  },
  literal: async (context, words) => {
    const { printExtension } = await import("../actions/lifecycle-extension.ts");
    return printExtension(context, words);
  },
});

export const lifecycleExtensionCommands: readonly CommandDeclaration[] = [extension];
