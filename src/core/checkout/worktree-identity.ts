import { join } from "node:path";
import type { Random } from "../base/random.ts";
import { readText } from "../fs/read.ts";
import { createExclusive, writeAtomic } from "../fs/write.ts";

const FILE = "majordomus-worktree";
const IDENTITY_CHARACTERS = 16;

function isHexadecimal(text: string): boolean {
  for (const character of text) if (!"0123456789abcdef".includes(character)) return false;
  return true;
}

/**
 * The identity of a worktree: 16 random hex kept in its own git directory. A path that was removed and
 * made again is another worktree, a directory that was moved is the same one (decisions.md 1, promise 13).
 *
 * @returns undefined when the git directory carries none (a worktree that we never saw).
 */
export function readWorktreeIdentity(gitDirectory: string): string | undefined {
  const text = readText(join(gitDirectory, FILE), { maximumBytes: 256 });
  const identity = text.ok ? text.value.trim() : "";
  const isWhole = identity.length === IDENTITY_CHARACTERS && isHexadecimal(identity);
  return isWhole ? identity : undefined;
}

/** Reads the identity, or writes a fresh one once; of many at once, one wins and all read the same. */
export function ensureWorktreeIdentity(gitDirectory: string, random: Random): string {
  const known = readWorktreeIdentity(gitDirectory);
  if (known !== undefined) return known;
  const fresh = random.hex(8);
  const path = join(gitDirectory, FILE);
  if (createExclusive(path, `${fresh}\n`)) return fresh;
  const winner = readWorktreeIdentity(gitDirectory);
  if (winner !== undefined) return winner;
  writeAtomic(path, `${fresh}\n`);
  return fresh;
}

/** Notes where the worktree lies now, beside its identity; renewed at each start. */
export function noteWorktreePath(gitDirectory: string, path: string): void {
  const file = join(gitDirectory, `${FILE}-path`);
  const known = readText(file, { maximumBytes: 8192 });
  if (known.ok && known.value === `${path}\n`) return;
  writeAtomic(file, `${path}\n`);
}

/** Where the worktree of this git directory lay at its last start, if it ever had one. */
export function readWorktreePath(gitDirectory: string): string | undefined {
  const text = readText(join(gitDirectory, `${FILE}-path`), { maximumBytes: 8192 });
  const path = text.ok ? text.value.trimEnd() : "";
  return path === "" ? undefined : path;
}
