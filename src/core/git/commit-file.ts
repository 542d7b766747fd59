import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readHead, DETACHED } from "./head.ts";
import { askCommitter } from "./identity.ts";
import type { CommitIdentity } from "./identity.ts";
import { isContended, moveReference, UNOBSERVED, writeBlob, writeCommit } from "./plumbing.ts";
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

/** How long a commit that others are in the way of is tried. */
export interface Persistence {
  /** Whether there is time for another attempt. */
  mayGoOn(): boolean;
  /** Waits a moment, never as long as another process does. */
  rest(): void;
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
class Refused extends Error {
  /** Somebody else is at it just now; another attempt may do. */
  readonly contended: boolean;

  constructor(reason: string, contended: boolean) {
    super(reason);
    this.contended = contended;
  }
}

function exists(repository: Repository, name: string): boolean {
  return lstatSync(join(repository.gitDir, name), { throwIfNoEntry: false }) !== undefined;
}

function ask(repository: Repository, command: readonly string[], options: GitOptions = {}): string {
  const outcome = runGit(repository, [...UNOBSERVED, ...command], options);
  if (outcome.status === 0) return outcome.stdout.toString("latin1").trim();
  throw new Refused(reasonOfFailure(command, outcome), isContended(outcome.stderr));
}

function refuseInTheMiddle(repository: Repository): void {
  const busy = UNDER_WAY.find(([name]) => exists(repository, name));
  if (busy !== undefined) throw new Refused(`${busy[1]} is under way`, false);
  if (exists(repository, "index.lock")) throw new Refused("the index is locked", true);
}

/** The tree of a commit with one file more, made beside the index. */
function treeWith(repository: Repository, commit: string, entry: string, scratch: string): string {
  const options = { environment: { GIT_INDEX_FILE: scratch } };
  ask(repository, ["read-tree", commit], options);
  ask(repository, ["update-index", "--add", "--cacheinfo", entry], options);
  return ask(repository, ["write-tree"], options);
}

/** Whether a commit holds a file with these very bytes. */
function holds(repository: Repository, commit: string, path: string, blob: string): boolean {
  const standing = ask(repository, ["ls-tree", "-z", "--full-tree", commit, "--", path]);
  return standing.startsWith(`${FILE_MODE} blob ${blob}\t`);
}

/** A file's entry in the index as `update-index --cacheinfo` takes it; undefined where it has none. */
function indexEntry(repository: Repository, path: string): string | undefined {
  const [mode, blob] = ask(repository, ["ls-files", "--stage", "-z", "--", path]).split(" ");
  return mode === undefined || blob === undefined ? undefined : `${mode},${blob},${path}`;
}

/** One file's way into the index and onto the branch, and back out of the index. */
class Placing {
  readonly #repository: Repository;
  readonly #file: FileCommit;
  readonly #blob: string;
  readonly #entry: string;
  readonly #identity: CommitIdentity | undefined;
  /** What the index said of the file before us; undefined until we have put it there. */
  #before: { entry: string | undefined } | undefined;
  #built: { parent: string; commit: string } | undefined;

  constructor(repository: Repository, file: FileCommit) {
    this.#repository = repository;
    this.#file = file;
    this.#blob = writeBlob(repository, file.bytes);
    this.#entry = `${FILE_MODE},${this.#blob},${file.path}`;
    this.#identity = askCommitter(repository, file.standIn).missing;
  }

  /** Builds the commit upon where the branch is now, and moves the branch if it still is there. */
  attempt(): FileCommitOutcome {
    const { branch, commit: parent } = readHead(this.#repository);
    if (branch === DETACHED) return { state: "left", reason: "HEAD is on no branch" };
    if (parent === undefined) return { state: "left", reason: "there is no commit yet" };
    refuseInTheMiddle(this.#repository);
    const { path, message, at, scratch, standIn } = this.#file;
    // Where the branch was only held, what was built upon it serves again.
    if (this.#built?.parent !== parent) {
      if (holds(this.#repository, parent, path, this.#blob)) return { state: "standing" };
      const tree = treeWith(this.#repository, parent, this.#entry, scratch);
      const facts = { tree, parents: [parent], message, at, identity: this.#identity };
      this.#built = { parent, commit: writeCommit(this.#repository, facts, standIn) };
    }
    const { commit } = this.#built;
    this.#enter();
    const [title = ""] = message.split("\n");
    const reference = `refs/heads/${branch}`;
    const move = moveReference(this.#repository, reference, commit, parent, `commit: ${title}`);
    if (!move.moved) throw new Refused(move.reason, move.contended);
    return { state: "committed", commit };
  }

  #enter(): void {
    if (this.#before !== undefined) return;
    const before = { entry: indexEntry(this.#repository, this.#file.path) };
    if (before.entry !== this.#entry) {
      ask(this.#repository, ["update-index", "--add", "--cacheinfo", this.#entry]);
    }
    this.#before = before;
  }

  /**
   * Makes the index say of the file what it said before, unless somebody has committed it meanwhile, or
   * set another entry.
   *
   * @throws Refused where git does not; another attempt may do.
   */
  withdraw(): void {
    const before = this.#before;
    const { path } = this.#file;
    if (before === undefined || before.entry === this.#entry) return;
    if (indexEntry(this.#repository, path) !== this.#entry) return;
    const { commit } = readHead(this.#repository);
    if (commit !== undefined && holds(this.#repository, commit, path, this.#blob)) return;
    const change =
      before.entry === undefined ? ["--force-remove", "--", path] : ["--add", "--cacheinfo", before.entry];
    ask(this.#repository, ["update-index", ...change]);
  }
}

function untilNobodyIsInTheWay(placing: Placing, persistence: Persistence): FileCommitOutcome {
  for (;;) {
    try {
      return placing.attempt();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!error.contended || !persistence.mayGoOn()) return { state: "left", reason: error.message };
    }
    persistence.rest();
  }
}

/** How often the index is asked to take back what we entered. */
const WITHDRAWALS = 4;

/** @returns why our entry is still in the index, where it is. */
function withdrawn(placing: Placing, persistence: Persistence): string | undefined {
  for (let left = WITHDRAWALS; ; left -= 1) {
    try {
      placing.withdraw();
      return undefined;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (left === 1) return error.message;
    }
    persistence.rest();
  }
}

/**
 * Commits one file to the branch of a work tree by plumbing: none of the user's hooks runs, and whatever is
 * staged stays staged. The file is put into the index first, so that it never looks deleted; the branch
 * moves only while it is where it was seen. Where it has moved, or somebody holds the index or the branch,
 * the commit is built again upon what is there then, as long as there is time; where that does not help,
 * the index gets back what it said of the file before.
 *
 * @returns `left` with the reason where somebody is in the middle of something, on no branch, without a
 *   commit, where the path is ignored, or where git refuses; then no commit was made.
 */
export function commitFile(
  repository: Repository,
  file: FileCommit,
  persistence: Persistence,
): FileCommitOutcome {
  if (runGit(repository, ["check-ignore", "-q", "--", file.path]).status === 0) {
    return { state: "left", reason: `${file.path} is ignored by git` };
  }
  const placing = new Placing(repository, file);
  let committed = false;
  let remains: string | undefined;
  let outcome: FileCommitOutcome;
  try {
    outcome = untilNobodyIsInTheWay(placing, persistence);
    committed = outcome.state === "committed";
  } finally {
    if (!committed) remains = withdrawn(placing, persistence);
  }
  if (outcome.state !== "left" || remains === undefined) return outcome;
  return { state: "left", reason: `${outcome.reason}; it stays staged: ${remains}` };
}
