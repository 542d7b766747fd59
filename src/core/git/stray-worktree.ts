import { basename, dirname, join, relative, sep } from "node:path";
import { realPath } from "./git-directory.ts";
import type { Repository } from "./repository.ts";
import { listWorktrees } from "./worktrees.ts";

/** Where tools keep linked worktrees inside a checkout. */
const CUSTOMARY = [join(".claude", "worktrees"), ".worktrees"];

function isInside(path: string, root: string): boolean {
  const steps = relative(root, path);
  return steps !== "" && steps !== ".." && !steps.startsWith(`..${sep}`);
}

function worktreeFolders(repository: Repository): Set<string> {
  const noted = listWorktrees(repository)
    .map(({ path }) => dirname(path))
    .filter((folder) => isInside(folder, repository.root) && /worktrees?$/i.test(basename(folder)));
  return new Set([...CUSTOMARY.map((folder) => join(repository.root, folder)), ...noted]);
}

/**
 * A directory that stands where worktrees stand, but that git does not know as one: work in it would be
 * taken, without a word, for work in the checkout around it.
 *
 * @param directory absolute; anywhere in `repository`.
 * @returns that directory's top, or undefined when `directory` is an ordinary part of the checkout.
 */
export function strayWorktree(repository: Repository, directory: string): string | undefined {
  const here = realPath(directory);
  if (here === undefined || !isInside(here, repository.root)) return undefined;
  if (!/worktree/i.test(relative(repository.root, here))) return undefined;
  const folders = worktreeFolders(repository);
  for (let top = here; isInside(top, repository.root); top = dirname(top)) {
    if (folders.has(dirname(top))) return top;
  }
  return undefined;
}
