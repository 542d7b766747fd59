import { shellWord } from "../text/shell-word.ts";
import { isOurProgram, splitWords, type Launcher } from "./claude-hooks.ts";

/** A status line of ours, and the one that it shows, if there was one before it. */
export interface OurStatusLine {
  delegate: string | undefined;
}

const COMMAND = "statusline";
const DELEGATE = "--delegate";

/** The command of our status line: it notes how full the context is, then shows what stood there before. */
export function statusLineCommand(
  { interpreter, script }: Extract<Launcher, { kind: "program" }>,
  delegate: string | undefined,
): string {
  const words = [interpreter, script, COMMAND, ...(delegate === undefined ? [] : [DELEGATE, delegate])];
  return words.map(shellWord).join(" ");
}

/** The command of a `statusLine` setting; undefined for a setting of another form. */
export function commandOf(setting: unknown): string | undefined {
  if (typeof setting !== "object" || setting === null || Array.isArray(setting)) return undefined;
  const { type, command } = setting as Record<string, unknown>;
  return type === "command" && typeof command === "string" && command.trim() !== "" ? command : undefined;
}

/**
 * Tells whether a `statusLine` setting is one that an installation of ours wrote.
 *
 * @param script the program's path, known to be ours whatever its name.
 */
export function readOurStatusLine(setting: unknown, script?: string): OurStatusLine | undefined {
  const command = commandOf(setting);
  if (command === undefined) return undefined;
  const words = splitWords(command);
  const program = words.findIndex((word) => isOurProgram(word, script));
  if (program < 0 || words[program + 1] !== COMMAND) return undefined;
  const rest = words.slice(program + 2);
  return { delegate: rest[0] === DELEGATE ? rest[1] : undefined };
}
