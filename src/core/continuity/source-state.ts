import { createHash } from "node:crypto";
import { closeSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { openRegularFile, statEntry } from "../fs/read.ts";
import { DETACHED } from "../git/head.ts";
import { reasonOfFailure, runGit } from "../git/run.ts";
import { LIMITS } from "./record.ts";
import type { SourceState } from "./record.ts";

const STATUS = ["-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", "--untracked-files=all"];

/** The user's settings must not change what two machines compare. */
const DIFF = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.quotePath=true",
  "-c",
  "diff.algorithm=default",
  "-c",
  "diff.noprefix=false",
  "-c",
  "diff.mnemonicPrefix=false",
  "-c",
  "diff.renames=true",
  "-c",
  "diff.context=3",
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--binary",
];

const GIT_MILLISECONDS = 60_000;
const CHUNK = 1024 * 1024;

interface Changes {
  /** Sorted bytewise, each once. */
  changed: string[];
  untracked: string[];
}

/** Takes the paths out of git's status, and which of them git does not know (records.md 14.9). */
function parseChanges(output: string): Changes {
  const fields = output.split("\0");
  const changed = new Set<string>();
  const untracked = new Set<string>();
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? "";
    if (field.length < 4) continue;
    const state = field.slice(0, 2);
    changed.add(field.slice(3));
    if (state === "??") untracked.add(field.slice(3));
    if (/[RC]/.test(state)) index += 1;
  }
  return {
    changed: [...changed].toSorted(compareBytewise),
    untracked: [...untracked].toSorted(compareBytewise),
  };
}

type Hash = ReturnType<typeof createHash>;

function addContent(hash: Hash, path: string): void {
  if (statEntry(path)?.isSymbolicLink() === true) {
    hash.update(readlinkSync(path));
    return;
  }
  const file = openRegularFile(path);
  if (!file.ok) return;
  const buffer = Buffer.allocUnsafe(CHUNK);
  try {
    for (;;) {
      const count = readSync(file.value.descriptor, buffer, 0, CHUNK, null);
      if (count === 0) return;
      hash.update(buffer.subarray(0, count));
    }
  } finally {
    closeSync(file.value.descriptor);
  }
}

/** 32 hex over all uncommitted work; undefined where git does not tell it whole. */
function fingerprintOf(
  checkout: Pick<Checkout, "repository" | "root" | "head">,
  untracked: readonly string[],
): string | undefined {
  const hash = createHash("sha256");
  if (checkout.head !== undefined) {
    const outcome = runGit(checkout.repository, [...DIFF, "HEAD"], { timeoutMilliseconds: GIT_MILLISECONDS });
    if (outcome.status !== 0) return undefined;
    hash.update(outcome.stdout);
  }
  for (const path of untracked) {
    hash.update(`\0untracked\0${path}`);
    addContent(hash, join(checkout.root, path));
  }
  return hash.digest("hex").slice(0, 32);
}

/**
 * Where this checkout stands: branch, commit, and what is not committed (records.md 14.9). One process, and a
 * second one for the fingerprint of a dirty tree.
 *
 * @throws MajordomusError 13 when git does not answer.
 */
export function readSourceState(
  checkout: Pick<Checkout, "repository" | "root" | "branch" | "head">,
  options: { fingerprint: boolean },
): SourceState {
  const outcome = runGit(checkout.repository, STATUS, { timeoutMilliseconds: GIT_MILLISECONDS });
  if (outcome.status !== 0) {
    throw new MajordomusError({
      code: "git.failed",
      exit: EXIT.internal,
      subject: "git status",
      message: reasonOfFailure(STATUS, outcome),
    });
  }
  const { changed, untracked } = parseChanges(outcome.stdout.toString("utf8"));
  const dirty = changed.length > 0;
  const fingerprint = dirty && options.fingerprint ? fingerprintOf(checkout, untracked) : undefined;
  const kept = changed.slice(0, LIMITS.changed);
  return {
    ...(checkout.branch === DETACHED ? {} : { branch: checkout.branch }),
    ...(checkout.head === undefined ? {} : { head: checkout.head }),
    working_tree: dirty ? "dirty" : "clean",
    ...(kept.length === 0 ? {} : { changed: kept }),
    changed_total: changed.length,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}

/** Whether two states are the same work: place, changes and fingerprint. */
export function isSameState(a: SourceState, b: SourceState): boolean {
  const keys = ["branch", "head", "working_tree", "changed_total", "fingerprint"] as const;
  return (
    keys.every((key) => a[key] === b[key]) && (a.changed ?? []).join("\0") === (b.changed ?? []).join("\0")
  );
}
