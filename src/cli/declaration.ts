import type { Surroundings } from "../core/checkout/checkout.ts";
import type { Output } from "./output.ts";
import type { BodySource } from "./stdin.ts";
import type { Opened } from "../tui/opening.ts";

/** A positional argument of a command. */
export interface ArgumentDeclaration {
  name: string;
  summary: string;
  /** @default false */
  required?: boolean;
  /** Takes all that follow; only the last one may. */
  variadic?: boolean;
  choices?: readonly string[];
}

/** An option of a command, always long. Without `value` it is a switch. */
export interface OptionDeclaration {
  /** Without the dashes: `older-than`. */
  name: string;
  summary: string;
  /** Placeholder of the value in help: `D`. */
  value?: string;
  choices?: readonly string[];
  /** May stand several times; all its values count. */
  repeatable?: boolean;
  /** The value is a whole number within these bounds. */
  integer?: { minimum: number; maximum: number };
  default?: string;
  /** Options of the command that this one excludes: they mean another act, or what they say would be passed over. */
  without?: readonly string[];
  /** Options of which one has to be there, since this one only says something about them. */
  beside?: readonly string[];
}

type Given<Declaration, Value> = Declaration extends { default: string } ? Value : Value | undefined;

type SingleValue<Declaration> = Declaration extends { integer: object }
  ? number
  : Declaration extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type OptionValue<Declaration> = Declaration extends { value: string }
  ? Given<
      Declaration,
      Declaration extends { repeatable: true } ? SingleValue<Declaration>[] : SingleValue<Declaration>
    >
  : boolean;

type ArgumentValue<Declaration> = Declaration extends { variadic: true }
  ? string[]
  : | (Declaration extends { choices: readonly (infer Choice)[] } ? Choice : string)
    | (Declaration extends { required: true } ? never : undefined);

type Values<Declarations extends readonly { name: string }[], Kind extends "argument" | "option"> = {
  [Declaration in Declarations[number] as Declaration["name"]]: Kind extends "option"
    ? OptionValue<Declaration>
    : ArgumentValue<Declaration>;
};

/** Where the parts of the installed program lie, absolute. */
export interface ProgramFiles {
  /** What a shell starts, and what hooks are told to start. */
  launcher: string;
  /** The entry of the pool's threads. */
  worker: string;
  /** What saves a session's state at a turn's end. */
  autosave: string;
  /** Keeps what was compiled up to now for the next start; else that happens when the process ends. */
  keepCompiled?: () => void;
}

/** What every command runs with, beside its own arguments and options. */
export interface CommandContext {
  /** The directory that was named with `--repo`, else where the program was started. */
  directory: string;
  json: boolean;
  output: Output;
  surroundings: Surroundings;
  /** Standard input, opened when a command wants it. */
  stdin: () => BodySource;
  program: ProgramFiles;
  /** Columns of the terminal. */
  width: () => number;
  /** The console's terminal, where it was opened before the command was read. */
  opened?: Opened;
  /** The whole table, for the commands that describe the others. */
  table: readonly CommandDeclaration[];
}

export interface Invocation<
  Arguments extends readonly ArgumentDeclaration[] = readonly ArgumentDeclaration[],
  Options extends readonly OptionDeclaration[] = readonly OptionDeclaration[],
> extends CommandContext {
  arguments: Values<Arguments, "argument">;
  options: Values<Options, "option">;
}

export interface Example {
  command: string;
  summary: string;
}

/** One command as data: help, completion, parsing and the tests are drawn from it. */
export interface CommandDeclaration {
  /** `["session", "start"]` */
  path: readonly string[];
  summary: string;
  arguments: readonly ArgumentDeclaration[];
  options: readonly OptionDeclaration[];
  examples: readonly Example[];
  /** What help adds in prose. */
  notes: readonly string[];
  /** @returns the exit status (records.md 6), or 128 and the number of the signal that ended it */
  run: (context: CommandContext, values: ParsedValues) => Promise<number>;
  /** Takes its words as they were typed: its messages and its exit status are other programs' contract. */
  literal?: (context: CommandContext, words: readonly string[]) => Promise<number>;
}

export interface ParsedValues {
  arguments: Readonly<Record<string, unknown>>;
  options: Readonly<Record<string, unknown>>;
}

/**
 * Declares a command. The types of `invocation.arguments` and `invocation.options` follow from the
 * tables; `run` should import whatever is heavy by itself, so that help stays quick.
 */
export function defineCommand<
  const Arguments extends readonly ArgumentDeclaration[] = readonly [],
  const Options extends readonly OptionDeclaration[] = readonly [],
>(declaration: {
  path: readonly string[];
  summary: string;
  arguments?: Arguments;
  options?: Options;
  examples?: readonly Example[];
  notes?: readonly string[];
  run: (invocation: Invocation<Arguments, Options>) => Promise<number>;
  literal?: (context: CommandContext, words: readonly string[]) => Promise<number>;
}): CommandDeclaration {
  const { run, ...facts } = declaration;
  return {
    examples: [],
    notes: [],
    ...facts,
    arguments: facts.arguments ?? [],
    options: facts.options ?? [],
    // The parser has filled the values by the very tables that the types are read from.
    run: (context, values) => run({ ...context, ...values } as unknown as Invocation<Arguments, Options>),
  };
}
