import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const completion = defineCommand({
  path: ["completion"],
  summary: "a completion script for a shell",
  arguments: [
    { name: "shell", required: true, choices: ["bash", "zsh", "fish"], summary: "which shell it is for" },
  ],
  examples: [
    { command: "source <(majordomus completion bash)", summary: "in ~/.bashrc" },
    { command: "majordomus completion zsh > ~/.zfunc/_majordomus", summary: "for zsh, on its fpath" },
    { command: "majordomus completion fish | source", summary: "in config.fish" },
  ],
  run: async (invocation) => {
    const { completionScript } = await import("../completion/script.ts");
    invocation.output.block(completionScript(invocation.arguments.shell, invocation.table).trimEnd());
    return EXIT.ok;
  },
});

export const completionCommands: readonly CommandDeclaration[] = [completion];
