import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../core/base/version.ts";
import type {
  ArgumentDeclaration,
  CommandDeclaration,
  OptionDeclaration,
  ParsedValues,
} from "./declaration.ts";
import { GLOBAL_FLAGS, GLOBAL_OPTIONS, VERSION_OPTION } from "./globals.ts";

/** What a parsed command line asks for. */
export interface Chosen extends ParsedValues {
  declaration: CommandDeclaration;
}

function valueParser(declaration: OptionDeclaration, flags: readonly string[]): (text: string) => unknown {
  return (text) => {
    if (flags.includes(text)) throw new InvalidArgumentError("That is an option; the value is missing.");
    if (declaration.choices !== undefined && !declaration.choices.includes(text)) {
      throw new InvalidArgumentError(`Allowed choices are ${declaration.choices.join(", ")}.`);
    }
    if (declaration.integer === undefined) return text;
    const { minimum, maximum } = declaration.integer;
    const number = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`A whole number from ${minimum} to ${maximum} is wanted.`);
  };
}

function optionOf(declaration: OptionDeclaration, flags: readonly string[]): Option {
  const { name, value, summary } = declaration;
  if (value === undefined) {
    const option = new Option(`--${name}`, summary);
    // `--no-task` is a switch of its own, not the opposite of `--task`.
    option.negate = false;
    return option;
  }
  const parseOne = valueParser(declaration, flags);
  const option = new Option(`--${name} <${value}>`, summary).argParser(
    declaration.repeatable === true
      ? (text, earlier: unknown) => [...(Array.isArray(earlier) ? earlier : []), parseOne(text)]
      : parseOne,
  );
  return declaration.default === undefined ? option : option.default(declaration.default);
}

function argumentOf({ name, summary, required, variadic, choices }: ArgumentDeclaration): Argument {
  const inner = variadic === true ? `${name}...` : name;
  const argument = new Argument(required === true ? `<${inner}>` : `[${inner}]`, summary);
  return choices === undefined ? argument : argument.choices(choices);
}

/** An option of the command above that the one below it does not take was meant for nobody. */
function refuseStrayOptions(above: Command, known: readonly string[]): void {
  if (above.parent === null) return;
  const stray = above.options.find(
    (option) =>
      above.getOptionValueSource(option.attributeName()) === "cli" && !known.includes(option.attributeName()),
  );
  if (stray?.long !== undefined) above.error(`error: unknown option '${stray.long}'`);
}

function addDeclaration(
  parent: Command,
  declaration: CommandDeclaration,
  onChosen: (chosen: Chosen) => void,
): void {
  const flags = [...GLOBAL_FLAGS, ...declaration.options.map(({ name }) => `--${name}`)];
  const command = parent.command(declaration.path.at(-1) ?? "").description(declaration.summary);
  for (const argument of declaration.arguments) command.addArgument(argumentOf(argument));
  const options = declaration.options.map((option) => ({
    name: option.name,
    option: optionOf(option, flags),
  }));
  for (const { option } of options) command.addOption(option);
  command.action(() => {
    refuseStrayOptions(
      parent,
      options.map(({ option }) => option.attributeName()),
    );
    // The parser gives an option that a command and the one above it both know to the one above.
    const given = command.optsWithGlobals<Record<string, unknown>>();
    onChosen({
      declaration,
      arguments: Object.fromEntries(
        declaration.arguments.map(({ name }, index): [string, unknown] => [
          name,
          command.processedArgs[index],
        ]),
      ),
      options: Object.fromEntries(
        options.map(({ name, option }) => {
          const value = given[option.attributeName()];
          return [name, option.isBoolean() ? value === true : value];
        }),
      ),
    });
  });
}

function groupOf(parent: Command, name: string): Command {
  return parent.commands.find((command) => command.name() === name) ?? parent.command(name);
}

/** The parser itself prints nothing: what it has to say is reported as every other failure is. */
const nothing = (): void => undefined;

/**
 * Builds the parser of the whole program from its table. Help is not its concern.
 *
 * @param onChosen told which command a parsed line asks for, with its values.
 */
export function createParser(
  table: readonly CommandDeclaration[],
  onChosen: (chosen: Chosen) => void,
): Command {
  const program = new Command("majordomus")
    .version(VERSION, VERSION_OPTION.flags, VERSION_OPTION.summary)
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: nothing, writeErr: nothing });
  for (const { flags, summary } of GLOBAL_OPTIONS) program.option(flags, summary);
  for (const declaration of table) {
    const parent = declaration.path.slice(0, -1).reduce(groupOf, program);
    addDeclaration(parent, declaration, onChosen);
  }
  return program;
}
