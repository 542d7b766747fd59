import { statSync } from "node:fs";
import { join } from "node:path";
import { readGitFile } from "./git-file.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run.ts";

/** From when on commits are counted. */
export interface CountingStart {
  /** The commit that HEAD was on then, where that is known: no clock is needed. */
  head?: string | undefined;
  /** Milliseconds since the epoch. */
  at: number;
}

interface Move {
  to: string;
  /** Seconds since the epoch. */
  at: number;
  committed: boolean;
}

const ENTRY = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) .*> (\d{1,12}) [+-]\d{4}\t(.*)$/;

function movesOf(log: string): Move[] {
  return log.split("\n").flatMap((line) => {
    const [, to, at, what = ""] = ENTRY.exec(line) ?? [];
    return to === undefined ? [] : [{ to, at: Number(at), committed: what.startsWith("commit") }];
  });
}

/** When a commit was written: to the millisecond while it lies loose, else by its date. */
function writtenAt({ commonDir }: Repository, { to, at }: Move): number {
  const loose = join(commonDir, "objects", to.slice(0, 2), to.slice(2));
  return statSync(loose, { throwIfNoEntry: false })?.mtimeMs ?? at * 1000;
}

/**
 * How many commits were made in this very worktree since then, read from HEAD's log: what was pulled, cloned or
 * checked out is nobody's work here. Where there is no log, commits by date, which takes one process.
 */
export function commitsMadeSince(repository: Repository, start: CountingStart): number {
  const log = readGitFile(join(repository.gitDir, "logs", "HEAD"));
  if (log === undefined) return countByDate(repository, start.at);
  const moves = movesOf(log);
  const known = start.head === undefined ? -1 : moves.findLastIndex(({ to }) => to === start.head);
  if (known !== -1) return moves.slice(known + 1).filter(({ committed }) => committed).length;
  const made = moves.filter(({ committed }) => committed);
  const last = made.findLastIndex((move) => writtenAt(repository, move) <= start.at);
  return made.length - 1 - last;
}

function countByDate(repository: Repository, at: number): number {
  const since = new Date(at).toISOString();
  const outcome = runGit(repository, ["rev-list", "--count", `--since=${since}`, "HEAD", "--"]);
  return outcome.status === 0 ? Number(outcome.stdout.toString("utf8").trim()) : 0;
}
