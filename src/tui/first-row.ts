import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readHeadFiles } from "../core/git/head.ts";
import { findRepository } from "../core/git/repository.ts";
import { isTerminal, openTerminal } from "./opening.ts";
import type { Opened } from "./opening.ts";
import type { Environment } from "./environment.ts";

/**
 * Opens the console's terminal with its first row as soon as it can be told that there will be a console: by
 * git's files and the layer's manifest alone, before settings were read or a library was loaded.
 *
 * @param words what follows `tui` on the command line
 * @returns undefined where that cannot be told: with options, without a terminal, outside a layer
 */
export function openFirstRow(
  words: readonly string[],
  { directory, environment }: { directory: string; environment: Environment },
): Opened | undefined {
  if (words.some((word) => word.startsWith("-")) || !isTerminal(environment)) return undefined;
  const repository = findRepository(resolve(directory, words[0] ?? "."), environment);
  if (repository === undefined || !existsSync(join(repository.root, ".ai", "manifest.yaml")))
    return undefined;
  const { branch, commit } = readHeadFiles(repository) ?? {};
  return openTerminal(
    { root: repository.root, ...(branch === undefined ? {} : { branch, head: commit }) },
    { environment },
  );
}
