import { basename, join } from "node:path";
import { isSessionId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory, readRegularFile } from "../fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";
import { CLOSED_COPIES, copiesDirectory } from "../journal/record-copies.ts";
import { RECORD_MAXIMUM_BYTES } from "../records/record-file.ts";

function prefixOf({ worktreeIdentity }: Checkout): string {
  return `owed-commit-${worktreeIdentity}-`;
}

function markOf(checkout: Checkout, sessionId: string): string {
  return join(checkout.common.cache, `${prefixOf(checkout)}${sessionId}`);
}

/** Remembers that the record of a session of this worktree is to be committed, until it is. */
export function oweCommit(checkout: Checkout, sessionId: string): void {
  // An id becomes a file's name.
  if (!isSessionId(sessionId)) return;
  makeDirectory(checkout.common.cache);
  writeAtomic(markOf(checkout, sessionId), "", { mode: 0o600 });
}

/** Nothing is owed for a session any more. */
export function settleCommit(checkout: Checkout, sessionId: string): void {
  if (isSessionId(sessionId)) removeFile(markOf(checkout, sessionId));
}

/** The sessions of this worktree whose records were to be committed, and were not. */
export function owedCommits(checkout: Checkout): string[] {
  const prefix = prefixOf(checkout);
  return listDirectory(checkout.common.cache)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((id) => isSessionId(id));
}

/** Whether a record is as it was sealed: what a person has written since is theirs to commit. */
export function isAsSealed(checkout: Checkout, path: string, bytes: Buffer): boolean {
  const copies = copiesDirectory(checkout, checkout.worktreeIdentity, CLOSED_COPIES);
  const copy = readRegularFile(join(copies, basename(path)), { maximumBytes: RECORD_MAXIMUM_BYTES });
  return copy.ok && copy.value.equals(bytes);
}
