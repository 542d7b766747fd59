import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

/**
 * The house: every folder of `src`, floor by floor, lowest first. Inside one floor the groups stand
 * in order as well. A folder imports itself and the groups before its own, never its neighbours in
 * the same group.
 */
export const FLOORS: readonly (readonly (readonly string[])[])[] = [
  [["core/base"], ["core/text", "core/fs"], ["core/git"]],
  [
    ["core/labels"],
    ["core/installation"],
    ["core/policy"],
    ["core/device"],
    ["core/checkout"],
    ["core/serving"],
    ["core/records"],
    ["core/journal"],
    ["core/ledger"],
  ],
  [
    [
      "core/episode",
      "core/task",
      "core/capsule",
      "core/context",
      "core/knowledge",
      "core/continuity",
      "core/lifecycle",
      "core/health",
    ],
  ],
  [["core/boundary"], ["core/capabilities"]],
  [["workers"]],
  // The command line is the front door: it starts the other surfaces.
  [["hooks", "tui", "server"], ["cli"]],
];

/** Folders below that a folder may still not import: a hook stays small. */
const SHUT: Readonly<Record<string, readonly string[]>> = {
  hooks: ["workers", "core/capabilities"],
};

const RANK = new Map(
  FLOORS.flatMap((floor, number) =>
    floor.flatMap((group, place) => group.map((folder) => [folder, number * 100 + place] as const)),
  ),
);

export interface Violation {
  /** Path below the root, with forward slashes. */
  file: string;
  line: number;
  message: string;
}

const SPECIFIER =
  /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|\bnew\s+URL\s*\(\s*(?=["'][^"']+\.tsx?["']))["'](?<specifier>\.{1,2}\/[^"']+)["']/gmu;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gmu;
const BARE_DATE = /\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))/gu;

function folderOf(path: string): string | undefined {
  const parts = path.split("/");
  return [parts.slice(0, 2).join("/"), parts[0] ?? ""].find((folder) => RANK.has(folder));
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** Comments become blanks of the same shape, so that places stay true. */
function withoutComments(text: string): string {
  return text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/gu, " "));
}

function judgeImport(from: string, to: string): string | undefined {
  const source = folderOf(from);
  const target = folderOf(to);
  if (source === undefined) return `${from} stands in no folder of the house`;
  if (target === undefined) return `${to} stands in no folder of the house`;
  if (source === target) return undefined;
  if (SHUT[source]?.includes(target) === true) return `${source} may not import ${target}`;
  const difference = (RANK.get(source) ?? 0) - (RANK.get(target) ?? 0);
  if (difference > 0) return undefined;
  return difference === 0
    ? `${source} imports its neighbour ${target}: what both need sinks, what combines them rises`
    : `${source} imports ${target}, which stands above it`;
}

/**
 * Judges one source file.
 *
 * @param path the file below `src`, with forward slashes.
 */
export function judgeSource(path: string, source: string): Violation[] {
  const text = withoutComments(source);
  const violations: Violation[] = [];
  for (const match of text.matchAll(SPECIFIER)) {
    const message = judgeImport(path, posix.join(posix.dirname(path), match.groups?.["specifier"] ?? ""));
    if (message !== undefined) violations.push({ file: path, line: lineOf(text, match.index), message });
  }
  if (path.startsWith("core/")) {
    for (const match of text.matchAll(BARE_DATE)) {
      violations.push({
        file: path,
        line: lineOf(text, match.index),
        message: "time is passed in: take a Clock",
      });
    }
  }
  return violations;
}

/** Judges every TypeScript file below `root`/src. */
export function judgeHouse(root: string): { files: number; violations: Violation[] } {
  const house = join(root, "src");
  const files = readdirSync(house, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map((entry) => relative(house, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
  return {
    files: files.length,
    violations: files.flatMap((file) => judgeSource(file, readFileSync(join(house, file), "utf8"))),
  };
}

/** The project's root, from where this file stands. */
export const ROOT: string = dirname(dirname(import.meta.dirname));
