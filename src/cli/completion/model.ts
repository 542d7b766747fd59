import type { CommandDeclaration } from "../declaration.ts";
import { nounOf } from "../nouns.ts";

export interface Word {
  text: string;
  summary: string;
}

export interface CompletableOption extends Word {
  /** What may follow; undefined for a switch. */
  value: { choices: readonly string[]; directory: boolean } | undefined;
}

/** One place of the command tree, as a shell needs to know it. */
export interface CompletionNode {
  /** The words that lead here; none for the program itself. */
  path: readonly string[];
  /** Commands, or the choices of an argument. */
  words: readonly Word[];
  options: readonly CompletableOption[];
  /** Directories may stand here too. */
  directories: boolean;
}

const GLOBALS: readonly CompletableOption[] = [
  {
    text: "--repo",
    summary: "work on the repository that contains this directory",
    value: { choices: [], directory: true },
  },
  { text: "--json", summary: "answer in JSON", value: undefined },
  { text: "--help", summary: "show help", value: undefined },
];

function leafOf(declaration: CommandDeclaration): CompletionNode {
  return {
    path: declaration.path,
    words: declaration.arguments.flatMap(({ choices = [], summary }) =>
      choices.map((text) => ({ text, summary })),
    ),
    options: [
      ...declaration.options.map(({ name, summary, value, choices = [] }) => ({
        text: `--${name}`,
        summary,
        value: value === undefined ? undefined : { choices, directory: value === "dir" },
      })),
      ...GLOBALS,
    ],
    directories: declaration.arguments.some(({ name }) => name === "dir"),
  };
}

/** The tree of the program: a node for itself, for each noun and for each command. */
export function completionNodes(table: readonly CommandDeclaration[]): CompletionNode[] {
  const nouns = [...new Set(table.filter(({ path }) => path.length > 1).map(({ path }) => path[0] ?? ""))];
  // Some commands have commands below them: one node then, with the words and options of both.
  const alone = new Set(table.filter(({ path }) => path.length === 1).map(({ path }) => path[0] ?? ""));
  const below = (noun: string | undefined): Word[] =>
    table
      .filter(({ path }) => path[0] === noun && path.length > 1)
      .map(({ path, summary }) => ({ text: path[1] ?? "", summary }));
  const program: CompletionNode = {
    path: [],
    words: [
      ...table
        .filter(({ path }) => path.length === 1)
        .map(({ path, summary }) => ({ text: path[0] ?? "", summary })),
      ...nouns
        .filter((noun) => !alone.has(noun))
        .map((noun) => ({ text: noun, summary: nounOf(noun).summary })),
    ],
    options: [...GLOBALS, { text: "--version", summary: "print the version", value: undefined }],
    directories: false,
  };
  const groups = nouns
    .filter((noun) => !alone.has(noun))
    .map((noun): CompletionNode => ({
      path: [noun],
      words: below(noun),
      options: GLOBALS,
      directories: false,
    }));
  const leaves = table.map((declaration): CompletionNode => {
    const leaf = leafOf(declaration);
    const words = declaration.path.length === 1 ? below(declaration.path[0]) : [];
    return { ...leaf, words: [...words, ...leaf.words] };
  });
  return [program, ...groups, ...leaves];
}

/** A path as the scripts write it: `/session/start`, and nothing for the program. */
export function pathText(path: readonly string[]): string {
  return path.map((word) => `/${word}`).join("");
}
