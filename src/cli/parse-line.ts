import { CommanderError } from "commander";
import type { Command } from "commander";
import type { MajordomusError } from "../core/base/error.ts";
import type { CommandDeclaration } from "./declaration.ts";
import { usageError } from "./failure.ts";
import { namedPath } from "./help-text.ts";
import { createParser } from "./parser.ts";
import type { Chosen } from "./parser.ts";
import { refuseIgnoredOptions } from "./stray-options.ts";

/** A command line that was understood. */
export interface ParsedLine extends Chosen {
  /** What `--repo` names. */
  repository: string | undefined;
  json: boolean;
}

/** A noun without its command, or the program with options alone. */
function whichCommand(table: readonly CommandDeclaration[], path: readonly string[]): MajordomusError {
  const choices = table
    .filter((declaration) => path.every((word, index) => declaration.path[index] === word))
    .map((declaration) => declaration.path[path.length] ?? "");
  return usageError({
    subject: ["majordomus", ...path].join(" "),
    message: "which command?",
    remedy: `one of ${[...new Set(choices)].join(", ")}`,
  });
}

/** Words a parser's complaint as ours: one line, what is wrong, what to type instead. */
function usageErrorOf(error: CommanderError, path: readonly string[]): MajordomusError {
  const [message = "", hint] = error.message.replace(/^error: /u, "").split("\n");
  const remedy = hint?.replaceAll(/[()]/gu, "").replace(/^Did/u, "did");
  const command = ["majordomus", ...path].join(" ");
  return usageError({ message, remedy: remedy ?? `\`${command} --help\` shows what it takes` });
}

function run(parser: Command, table: readonly CommandDeclaration[], arguments_: readonly string[]): boolean {
  try {
    parser.parse(arguments_, { from: "user" });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return false;
    const path = namedPath(table, arguments_);
    throw error.code === "commander.help" ? whichCommand(table, path) : usageErrorOf(error, path);
  }
}

/**
 * Understands a command line.
 *
 * @throws MajordomusError 2 for a command, option, argument or value that the table does not know, and for options
 *   of which one would be passed over.
 */
export function parseLine(
  table: readonly CommandDeclaration[],
  arguments_: readonly string[],
): ParsedLine | "version" {
  let chosen: Chosen | undefined;
  // A line that begins with a command's first word can mean nothing else: only such commands are built.
  const family = table.filter(({ path }) => path[0] === arguments_[0]);
  const parser = createParser(family.length === 0 ? table : family, (found) => {
    chosen = found;
  });
  if (!run(parser, table, arguments_)) return "version";
  if (chosen === undefined) throw whichCommand(table, []);
  refuseIgnoredOptions(chosen.declaration.options, chosen.options);
  const { repo, json } = parser.opts<{ repo?: string; json?: boolean }>();
  return { ...chosen, repository: repo, json: json === true };
}
