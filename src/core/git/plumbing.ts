import { EXIT, MajordomusError } from "../base/error.ts";
import { isCommitId } from "../base/id.ts";
import { objectName, packOf } from "./object-pack.ts";
import type { CommitContent, NewObject, ObjectFormat, TreeEntry } from "./object-pack.ts";
import type { CommitIdentity } from "./identity.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit, type GitOptions, type GitOutcome } from "./run.ts";

/** Before every command that writes or moves something: none of the user's hooks, no clean-up of the user's objects. */
export const UNOBSERVED: readonly string[] = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
];

const DIRECTORY_MODE = "040000";

function failure(command: readonly string[], outcome: GitOutcome): MajordomusError {
  return new MajordomusError({
    code: "git.failed",
    exit: EXIT.internal,
    subject: `git ${command[0] ?? ""}`,
    message: reasonOfFailure(command, outcome),
  });
}

function run(repository: Repository, command: readonly string[], options: GitOptions = {}): Buffer {
  const outcome = runGit(repository, [...UNOBSERVED, ...command], options);
  if (outcome.status !== 0) throw failure(command, outcome);
  return outcome.stdout;
}

function idFrom(output: Buffer, command: string): string {
  const id = output.toString("latin1").trim();
  if (isCommitId(id)) return id;
  throw new MajordomusError({
    code: "git.failed",
    exit: EXIT.internal,
    subject: `git ${command}`,
    message: "answered with no object name",
  });
}

/**
 * Everything below a tree or a commit, trees included, by full path; one process.
 *
 * @throws MajordomusError 13 where the object is no tree, or git fails.
 */
export function listTree(repository: Repository, id: string): TreeEntry[] {
  const command = ["ls-tree", "-r", "-t", "-z", "--full-tree", id];
  const fields = run(repository, command).toString("latin1").split("\0");
  return fields.filter(Boolean).map((field) => {
    const tab = field.indexOf("\t");
    const [mode = "", type = "", object = ""] = field.slice(0, tab).split(" ");
    return { mode, type: type as TreeEntry["type"], id: object, name: field.slice(tab + 1) };
  });
}

/** Writes bytes as a blob; its id. */
export function writeBlob(repository: Repository, bytes: Buffer): string {
  const command = ["hash-object", "-w", "-t", "blob", "--stdin"];
  return idFrom(run(repository, command, { input: bytes }), "hash-object");
}

/** What this repository names its objects by; one process. A git that cannot say it knows only one way. */
export function askObjectFormat(repository: Repository): ObjectFormat {
  const { status, stdout } = runGit(repository, ["rev-parse", "--show-object-format"]);
  return status === 0 && stdout.toString("latin1").trim() === "sha256" ? "sha256" : "sha1";
}

/**
 * Gives git objects to write, all of them to one process. It refuses what is malformed, and a tree whose
 * entries, or a commit whose tree, neither come along nor exist; some of them may have been written then.
 *
 * @returns their ids, in their order; undefined where git took them not, and does it one by one or says why.
 */
export function unpackObjects(
  repository: Repository,
  objects: readonly NewObject[],
  format: ObjectFormat,
): string[] | undefined {
  const command = [...UNOBSERVED, "unpack-objects", "-q", "--strict"];
  const { status } = runGit(repository, command, { input: packOf(objects, format) });
  return status === 0 ? objects.map((object) => objectName(object, format)) : undefined;
}

/** Writes a tree of these entries, whose objects must exist; its id. */
export function writeTree(repository: Repository, entries: readonly TreeEntry[]): string {
  const input = entries.map(({ mode, type, id, name }) => `${mode} ${type} ${id}\t${name}\0`).join("");
  return idFrom(run(repository, ["mktree", "-z"], { input: Buffer.from(input, "latin1") }), "mktree");
}

/** The entry of a directory in the tree above it. */
export function directoryEntry(name: string, id: string): TreeEntry {
  return { mode: DIRECTORY_MODE, type: "tree", id, name };
}

export interface CommitFacts extends CommitContent {
  /** In place of what git would take; an empty email leaves git's own. */
  identity: CommitIdentity | undefined;
}

/**
 * Writes a commit that no branch leads to; its id.
 *
 * @param standIn who commits where git refuses whom it would name: an empty name, or one of marks alone, out of
 *   the environment or a setting.
 */
export function writeCommit(repository: Repository, facts: CommitFacts, standIn?: CommitIdentity): string {
  try {
    return writeCommitOf(repository, facts);
  } catch (error) {
    if (standIn === undefined || facts.identity === standIn) throw error;
    try {
      return writeCommitOf(repository, { ...facts, identity: standIn });
    } catch {
      // It was not the name.
      throw error;
    }
  }
}

function writeCommitOf(repository: Repository, facts: CommitFacts): string {
  const { identity } = facts;
  const date = `${facts.at} +0000`;
  const environment: Record<string, string> = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  for (const role of ["AUTHOR", "COMMITTER"]) {
    if (identity !== undefined) environment[`GIT_${role}_NAME`] = identity.name;
    if (identity !== undefined && identity.email !== "") environment[`GIT_${role}_EMAIL`] = identity.email;
  }
  const parents = facts.parents.flatMap((parent) => ["-p", parent]);
  const command = ["commit-tree", facts.tree, ...parents, "-F", "-"];
  return idFrom(run(repository, command, { input: facts.message, environment }), "commit-tree");
}

export type Move =
  | { moved: true }
  /** `contended`: somebody else has moved it, or is just moving it; another try may do. */
  | { moved: false; contended: boolean; reason: string };

const CONTENDED =
  /cannot lock ref|unable to create .*\.lock|is at [0-9a-f]{40,64} but expected|reference already exists/i;

/** Whether what git says when it fails is that somebody else holds, or has moved, what it was to change. */
export function isContended(told: string): boolean {
  return CONTENDED.test(told);
}

/**
 * Moves a reference, but only while it still has the value that the caller saw. The name itself is moved,
 * never what it may lead to.
 *
 * @param previous undefined: it must not exist.
 */
export function moveReference(
  repository: Repository,
  reference: string,
  next: string,
  previous: string | undefined,
  why: string,
): Move {
  const expected = previous ?? "0".repeat(next.length);
  const command = ["update-ref", "--no-deref", "-m", why, reference, next, expected];
  const outcome = runGit(repository, [...UNOBSERVED, ...command]);
  if (outcome.status === 0) return { moved: true };
  const reason = reasonOfFailure(command, outcome);
  return { moved: false, contended: isContended(outcome.stderr), reason };
}

/** Whether a repository has a commit. */
export function hasCommit(repository: Repository, commit: string): boolean {
  return runGit(repository, ["cat-file", "-e", `${commit}^{commit}`]).status === 0;
}

/** Whether `older` is an ancestor of `newer` or it itself; undefined where git cannot tell. */
export function isAncestor(repository: Repository, older: string, newer: string): boolean | undefined {
  if (older === newer) return true;
  const { status } = runGit(repository, ["merge-base", "--is-ancestor", older, newer]);
  return status === 0 ? true : status === 1 ? false : undefined;
}
