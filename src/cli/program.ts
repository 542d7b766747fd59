import { resolve } from "node:path";
import { EXIT } from "../core/base/error.ts";
import { VERSION } from "../core/base/version.ts";
import type { Surroundings } from "../core/checkout/checkout.ts";
import { COMMANDS } from "./commands/table.ts";
import { reportFailure } from "./failure.ts";
import { asksForHelp, asksForJson } from "./globals.ts";
import { helpText } from "./help-text.ts";
import type { CommandDeclaration, ProgramFiles } from "./declaration.ts";
import type { Output } from "./output.ts";
import type { BodySource } from "./stdin.ts";
import type { Opened } from "../tui/opening.ts";

export interface ProgramContext {
  /** Where the program was started. */
  directory: string;
  output: Output;
  environment: Surroundings["environment"];
  surroundings: () => Promise<Surroundings>;
  stdin: () => BodySource;
  program: ProgramFiles;
  /** Columns of the terminal, for help. */
  width: () => number;
  /** The console's terminal, where it was opened before the command was read. */
  opened?: Opened;
}

/** Whether a line names a command that reads its words by itself. */
function isLiteral({ literal, path }: CommandDeclaration, arguments_: readonly string[]): boolean {
  return literal !== undefined && path.every((word, index) => arguments_[index] === word);
}

async function perform(arguments_: readonly string[], context: ProgramContext): Promise<number> {
  const { output, directory, program, stdin, surroundings, width, opened } = context;
  if (asksForHelp(arguments_)) {
    output.block(helpText(COMMANDS, arguments_, width()));
    return EXIT.ok;
  }
  if (arguments_.length === 0) {
    output.block(helpText(COMMANDS, [], width()));
    return EXIT.usage;
  }
  const common = {
    output,
    stdin,
    program,
    width,
    table: COMMANDS,
    ...(opened === undefined ? {} : { opened }),
  };
  const literal = COMMANDS.find((declaration) => isLiteral(declaration, arguments_));
  if (literal?.literal !== undefined) {
    return literal.literal(
      { ...common, directory, json: false, surroundings: await surroundings() },
      arguments_.slice(literal.path.length),
    );
  }
  // The parser is only wanted by commands: help stays quick without it.
  const { parseLine } = await import("./parse-line.ts");
  const parsed = parseLine(COMMANDS, arguments_);
  if (parsed === "version") {
    output.line(VERSION);
    return EXIT.ok;
  }
  const { declaration, repository, json, ...values } = parsed;
  return declaration.run(
    {
      ...common,
      directory: resolve(directory, repository ?? "."),
      json,
      surroundings: await surroundings(),
    },
    values,
  );
}

/** A command whose answer could not be written has not answered, whatever else it did. */
function statusOfOutput(output: Output): number {
  const fault = output.fault();
  if (fault === undefined) return EXIT.ok;
  output.warn(`standard output could not be written: ${fault}`);
  return EXIT.internal;
}

/**
 * Runs one command line.
 *
 * @param arguments_ what follows the program's name.
 * @returns the exit status; every failure is reported before it returns.
 */
export async function runProgram(arguments_: readonly string[], context: ProgramContext): Promise<number> {
  try {
    const status = await perform(arguments_, context);
    return status === EXIT.ok ? statusOfOutput(context.output) : status;
  } catch (error) {
    // What is said goes to the person's own screen.
    context.opened?.screen.close();
    return reportFailure(error, {
      output: context.output,
      json: asksForJson(arguments_),
      debug: context.environment["MAJORDOMUS_DEBUG"] === "1",
    });
  }
}
