import type { ArgumentDeclaration, CommandDeclaration, OptionDeclaration } from "./declaration.ts";
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from "./globals.ts";
import { GROUPS, nounOf } from "./nouns.ts";

/** A term and what it means. */
type Entry = readonly [term: string, meaning: string];

const INDENT = "  ";
const GAP = 2;
const NARROWEST_MEANING = 24;

/** Breaks a text at blanks, so that no line is longer than `width` unless one word is. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function section(title: string, entries: readonly Entry[], width: number): string[] {
  if (entries.length === 0) return [];
  const column = Math.max(...entries.map(([term]) => term.length)) + GAP;
  const room = Math.max(NARROWEST_MEANING, width - INDENT.length - column);
  const rows = entries.flatMap(([term, meaning]) =>
    wrap(meaning, room).map((line, index) =>
      `${INDENT}${(index === 0 ? term : "").padEnd(column)}${line}`.trimEnd(),
    ),
  );
  return ["", title, ...rows];
}

function argumentText({ name, required, variadic }: ArgumentDeclaration): string {
  const inner = variadic === true ? `${name}...` : name;
  return required === true ? `<${inner}>` : `[${inner}]`;
}

function argumentEntry({ name, summary, choices }: ArgumentDeclaration): Entry {
  return [name, choices === undefined ? summary : `${summary} (${choices.join(", ")})`];
}

function optionEntry({ name, value, summary, choices, ...option }: OptionDeclaration): Entry {
  const details = [
    ...(choices === undefined ? [] : [choices.join(", ")]),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
  ];
  const meaning = details.length === 0 ? summary : `${summary} (${details.join("; ")})`;
  return [value === undefined ? `--${name}` : `--${name} <${value}>`, meaning];
}

function globalEntries(): Entry[] {
  return [...GLOBAL_OPTIONS, HELP_OPTION].map(({ flags, summary }) => [flags, summary]);
}

/** A command whose words are a contract reads all of them itself, and takes no options of the program. */
function commonSection({ literal }: CommandDeclaration, width: number): string[] {
  return literal === undefined
    ? section("Options of every command:", globalEntries(), width)
    : section("Options of every command:", [[HELP_OPTION.flags, HELP_OPTION.summary]], width);
}

function programHelp(table: readonly CommandDeclaration[], width: number): string[] {
  const names = [...new Set(table.map(({ path }) => path[0] ?? ""))];
  const meaning = (name: string): string =>
    table.find(({ path }) => path.length === 1 && path[0] === name)?.summary ?? nounOf(name).summary;
  return [
    "Usage: majordomus <command> [options]",
    "",
    "Keeps the work of AI coding workers continuous, and shows and repairs it from a terminal.",
    ...GROUPS.flatMap((group) =>
      section(
        `${group}:`,
        names.filter((name) => nounOf(name).group === group).map((name): Entry => [name, meaning(name)]),
        width,
      ),
    ),
    ...section("Options:", [...globalEntries(), [VERSION_OPTION.flags, VERSION_OPTION.summary]], width),
  ];
}

function nounHelp(table: readonly CommandDeclaration[], noun: string, width: number): string[] {
  const commands = table.filter(({ path }) => path[0] === noun);
  return [
    `Usage: majordomus ${noun} <command> [options]`,
    "",
    nounOf(noun).summary,
    ...section(
      "Commands:",
      commands.map(({ path, summary }): Entry => [path.slice(1).join(" "), summary]),
      width,
    ),
    ...section("Options of every command:", globalEntries(), width),
  ];
}

function commandHelp(declaration: CommandDeclaration, width: number): string[] {
  const { path, summary, options, notes, examples } = declaration;
  const usage = ["majordomus", ...path, ...declaration.arguments.map(argumentText), "[options]"];
  return [
    `Usage: ${usage.join(" ")}`,
    "",
    summary,
    ...notes.flatMap((note) => ["", ...wrap(note, width)]),
    ...section("Arguments:", declaration.arguments.map(argumentEntry), width),
    ...section("Options:", options.map(optionEntry), width),
    ...commonSection(declaration, width),
    ...section(
      "Examples:",
      examples.map(({ command, summary: meaning }): Entry => [command, meaning]),
      width,
    ),
  ];
}

/** The words of a line that lead into the table, as deep as they go; options and unknown words are passed over. */
export function namedPath(table: readonly CommandDeclaration[], words: readonly string[]): readonly string[] {
  return words.reduce<readonly string[]>((path, word) => {
    const longer = [...path, word];
    const leads = table.some((declaration) =>
      longer.every((part, index) => declaration.path[index] === part),
    );
    return leads ? longer : path;
  }, []);
}

/**
 * The help of the command, the noun or the program that `words` name.
 *
 * @param width columns that a line may have.
 */
export function helpText(
  table: readonly CommandDeclaration[],
  words: readonly string[],
  width: number,
): string {
  const path = namedPath(table, words);
  const [noun] = path;
  if (noun === undefined) return programHelp(table, width).join("\n");
  const declaration = table.find((candidate) => candidate.path.join(" ") === path.join(" "));
  return (declaration === undefined ? nounHelp(table, noun, width) : commandHelp(declaration, width)).join(
    "\n",
  );
}
