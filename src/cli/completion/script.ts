import type { CommandDeclaration } from "../declaration.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionNodes } from "./model.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The completion script of a shell, drawn from the table of commands. */
export function completionScript(shell: keyof typeof SCRIPTS, table: readonly CommandDeclaration[]): string {
  return SCRIPTS[shell](completionNodes(table));
}
