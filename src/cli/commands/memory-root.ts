import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const memoryRoot = defineCommand({
  path: ["memory-root"],
  summary: "where an install keeps its memory: one path on standard output, or one MEMORY-ROOT: line and 1",
  options: [
    { name: "root", value: "base", summary: "the install root; needed" },
    { name: "relative", summary: "relative to the install root" },
    { name: "allow-missing", summary: "also when it does not exist yet" },
    { name: "ledgers", summary: "where skill ledgers lie instead" },
    { name: "with-ledgers", summary: "both, a line each" },
    { name: "default", summary: "alone: where memory lies when nothing is declared" },
  ],
  notes: ["`--json` answers with the root and its ledgers. There is no `--repo`: `--root` says where."],
  run: async () => {
    const { standsFirst } = await import("../failure.ts");
    throw standsFirst("memory-root");
  },
  literal: async (context, words) => {
    const { printMemoryRoot } = await import("../actions/memory-root.ts");
    return printMemoryRoot(context, words);
  },
});

export const memoryRootCommands: readonly CommandDeclaration[] = [memoryRoot];
