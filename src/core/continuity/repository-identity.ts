import { dirname, join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import { isCommitId, sha256Hex } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { reasonOfFailure, runGit } from "../git/run.ts";
import { isShallow } from "../git/shallow.ts";
import { digestOf } from "./signed-record.ts";

const DOMAIN = "majordomus-mesh-repository/v1\n";
const WALK_MILLISECONDS = 120_000;

/** The identity of a repository that calls itself something (records.md 14.2). */
export function declaredIdentity(name: string): string {
  return digestOf(`${DOMAIN}declared\n${name.trim()}`);
}

/** The identity of a repository by the commits that its history begins with; a fork shares a name, not these. */
export function rootsIdentity(roots: Iterable<string>): string {
  return digestOf(`${DOMAIN}roots\n${[...new Set(roots)].toSorted(compareBytewise).join("\n")}`);
}

function refuse(code: string, message: string, remedy: string): MajordomusError {
  return new MajordomusError({ code, exit: EXIT.finding, subject: "repository", message, remedy });
}

function askRoots(checkout: Pick<Checkout, "repository">, head: string): string[] {
  const command = ["rev-list", "--max-parents=0", head];
  const outcome = runGit(checkout.repository, command, { timeoutMilliseconds: WALK_MILLISECONDS });
  if (outcome.status === 0) return outcome.stdout.toString("latin1").split("\n").filter(isCommitId);
  throw refuse("continuity.no_identity", reasonOfFailure(command, outcome), "see what `git fsck` says");
}

/** The roots of a commit never change, but walking to them takes as long as the history is. */
function rootsOf(checkout: Pick<Checkout, "repository" | "common">, head: string): string[] {
  const cache = join(checkout.common.cache, `continuity-roots-${sha256Hex(head).slice(0, 16)}`);
  const kept = readText(cache, { maximumBytes: 64 * 1024 });
  const [of, ...known] = kept.ok ? kept.value.trimEnd().split("\n") : [];
  if (of === head && known.length > 0 && known.every(isCommitId)) return known;
  const roots = askRoots(checkout, head);
  try {
    makeDirectory(dirname(cache), 0o700);
    writeAtomic(cache, `${[head, ...roots].join("\n")}\n`, { mode: 0o600 });
  } catch {
    // It is walked again the next time.
  }
  return roots;
}

/**
 * How records that travel name this repository, 32 hex (records.md 14.2).
 *
 * @param declared what the declaration calls it, where it does.
 * @throws MajordomusError 10 without a commit, and in a shallow clone, where nobody can see the roots.
 */
export function repositoryIdentity(
  checkout: Pick<Checkout, "repository" | "common" | "head">,
  declared: string | undefined,
): string {
  if (declared !== undefined) return declaredIdentity(declared);
  if (checkout.head === undefined) {
    throw refuse(
      "continuity.no_commits",
      "has no commit yet, and is named by its first ones",
      "commit something, or name it with cooperation.repository in a mesh declaration",
    );
  }
  if (isShallow(checkout.repository)) {
    throw refuse(
      "continuity.shallow",
      "is a shallow clone, whose first commits are not here",
      "`git fetch --unshallow`, or name it with cooperation.repository in a mesh declaration",
    );
  }
  return rootsIdentity(rootsOf(checkout, checkout.head));
}
