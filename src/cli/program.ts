import { resolve } from "node:path";
import { CommanderError } from "commander";
import type { Command } from "commander";
import type { MajordomusError } from "../core/base/error.ts";
import { EXIT } from "../core/base/error.ts";
import { VERSION } from "../core/base/version.ts";
import type { Surroundings } from "../core/checkout/checkout.ts";
import { COMMANDS } from "./commands/table.ts";
import { reportFailure, usageError } from "./failure.ts";
import { asksForHelp, asksForJson } from "./globals.ts";
import type { ProgramFiles } from "./declaration.ts";
import type { Output } from "./output.ts";
import { createParser, findNamed, helpText } from "./parser.ts";
import type { Chosen } from "./parser.ts";
import type { BodySource } from "./stdin.ts";

export interface ProgramContext {
  /** Where the program was started. */
  directory: string;
  output: Output;
  surroundings: Surroundings;
  stdin: BodySource;
  program: ProgramFiles;
  /** Columns of the terminal, for help. */
  width: number;
}

function commandText(command: Command): string {
  const parent = command.parent;
  return parent === null ? command.name() : `${commandText(parent)} ${command.name()}`;
}

/** Words a parser's complaint as ours: one line, what is wrong, what to type instead. */
function usageErrorOf(error: CommanderError, named: Command): MajordomusError {
  if (error.code === "commander.help") {
    const choices = named.commands.map((command) => command.name()).join(", ");
    return usageError({
      subject: commandText(named),
      message: "which command?",
      remedy: `one of ${choices}`,
    });
  }
  const [message = "", hint] = error.message.replace(/^error: /u, "").split("\n");
  const remedy = hint?.replaceAll(/[()]/gu, "").replace(/^Did/u, "did");
  return usageError({ message, remedy: remedy ?? `\`${commandText(named)} --help\` shows what it takes` });
}

function parse(parser: Command, arguments_: readonly string[]): "version" | undefined {
  try {
    parser.parse(arguments_, { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return "version";
    throw usageErrorOf(error, findNamed(parser, arguments_));
  }
}

async function perform(arguments_: readonly string[], context: ProgramContext): Promise<number> {
  const { output } = context;
  let chosen: Chosen | undefined;
  const parser = createParser(COMMANDS, { onChosen: (found) => (chosen = found), width: context.width });
  if (asksForHelp(arguments_)) {
    output.block(helpText(findNamed(parser, arguments_)));
    return EXIT.ok;
  }
  if (arguments_.length === 0) {
    output.block(helpText(parser));
    return EXIT.usage;
  }
  if (parse(parser, arguments_) === "version") {
    output.line(VERSION);
    return EXIT.ok;
  }
  if (chosen === undefined) throw usageErrorOf(new CommanderError(2, "commander.help", ""), parser);
  const globals = parser.opts<{ repo?: string; json?: boolean }>();
  const { declaration, ...values } = chosen;
  return declaration.run(
    {
      directory: resolve(context.directory, globals.repo ?? "."),
      json: globals.json === true,
      output,
      surroundings: context.surroundings,
      stdin: context.stdin,
      program: context.program,
      table: COMMANDS,
    },
    values,
  );
}

/**
 * Runs one command line.
 *
 * @param arguments_ what follows the program's name.
 * @returns the exit status; every failure is reported before it returns.
 */
export async function runProgram(arguments_: readonly string[], context: ProgramContext): Promise<number> {
  try {
    return await perform(arguments_, context);
  } catch (error) {
    return reportFailure(error, {
      output: context.output,
      json: asksForJson(arguments_),
      debug: context.surroundings.environment["MAJORDOMUS_DEBUG"] === "1",
    });
  }
}
