import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readHead, DETACHED } from "./head.ts";
import { askCommitter } from "./identity.ts";
import type { CommitIdentity } from "./identity.ts";
import { moveReference, UNOBSERVED, writeBlob, writeCommit } from "./plumbing.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";
import type { GitOptions } from "./run.ts";

export interface FileCommit {
  /** Relative to the work tree, with slashes. */
  path: string;
  bytes: Buffer;
  message: string;
  /** Seconds since the epoch. */
  at: number;
  /** Who commits where git knows nobody, or nobody whom it takes. */
  standIn: CommitIdentity;
  /** A file of the caller's own, where the tree is put together; removed by the caller. */
  scratch: string;
}

export type FileCommitOutcome =
  | { state: "committed"; commit: string }
  /** The newest commit holds these very bytes. */
  | { state: "standing" }
  | { state: "left"; reason: string };

/** What lies in a work tree's git directory while somebody is in the middle of something. */
const UNDER_WAY: readonly (readonly [string, string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a pick"],
  ["BISECT_LOG", "a bisection"],
];

const FILE_MODE = "100644";

/** Git refused; whatever was made until then hangs in the air and harms nothing. */
class Refused extends Error {}

function exists(repository: Repository, name: string): boolean {
  return lstatSync(join(repository.gitDir, name), { throwIfNoEntry: false }) !== undefined;
}

function ask(repository: Repository, command: readonly string[], options: GitOptions = {}): string {
  const outcome = runGit(repository, [...UNOBSERVED, ...command], options);
  if (outcome.status !== 0) throw new Refused(reasonOfFailure(command, outcome));
  return outcome.stdout.toString("latin1").trim();
}

function obstacle(repository: Repository, path: string): string | undefined {
  const busy = UNDER_WAY.find(([name]) => exists(repository, name));
  if (busy !== undefined) return `${busy[1]} is under way`;
  if (exists(repository, "index.lock")) return "the index is locked";
  const ignored = runGit(repository, ["check-ignore", "-q", "--", path]).status === 0;
  return ignored ? `${path} is ignored by git` : undefined;
}

/** The tree of a commit with one file more, made beside the index. */
function treeWith(repository: Repository, commit: string, entry: string, scratch: string): string {
  const options = { environment: { GIT_INDEX_FILE: scratch } };
  ask(repository, ["read-tree", commit], options);
  ask(repository, ["update-index", "--add", "--cacheinfo", entry], options);
  return ask(repository, ["write-tree"], options);
}

/**
 * Commits one file to the branch of a work tree by plumbing: none of the user's hooks runs, and whatever is
 * staged stays staged. The file is put into the index first, so that it never looks deleted; the branch
 * moves only while it is where it was seen.
 *
 * @returns `left` with the reason where somebody is in the middle of something, on no branch, without a
 *   commit, where the path is ignored, or where git refuses; then no commit was made.
 */
export function commitFile(repository: Repository, file: FileCommit): FileCommitOutcome {
  const { branch, commit: parent } = readHead(repository);
  if (branch === DETACHED) return { state: "left", reason: "HEAD is on no branch" };
  if (parent === undefined) return { state: "left", reason: "there is no commit yet" };
  const reason = obstacle(repository, file.path);
  if (reason !== undefined) return { state: "left", reason };
  try {
    const blob = writeBlob(repository, file.bytes);
    const standing = ask(repository, ["ls-tree", "-z", "--full-tree", parent, "--", file.path]);
    if (standing.startsWith(`${FILE_MODE} blob ${blob}\t`)) return { state: "standing" };
    const entry = `${FILE_MODE},${blob},${file.path}`;
    const commit = writeCommit(
      repository,
      {
        tree: treeWith(repository, parent, entry, file.scratch),
        parents: [parent],
        message: file.message,
        at: file.at,
        identity: askCommitter(repository, file.standIn).missing,
      },
      file.standIn,
    );
    ask(repository, ["update-index", "--add", "--cacheinfo", entry]);
    const [title = ""] = file.message.split("\n");
    const move = moveReference(repository, `refs/heads/${branch}`, commit, parent, `commit: ${title}`);
    return move.moved ? { state: "committed", commit } : { state: "left", reason: move.reason };
  } catch (error) {
    if (error instanceof Refused) return { state: "left", reason: error.message };
    throw error;
  }
}
