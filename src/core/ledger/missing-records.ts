import { basename, join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { layoutOf } from "../checkout/layout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { recordedPaths } from "../git/recorded-paths.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import { scanMatching } from "../fs/scan.ts";
import { closedCopies } from "../journal/record-copies.ts";
import { readWorktreeMap } from "../journal/whereabouts.ts";
import type { WorktreeMap } from "../journal/whereabouts.ts";
import { findRecordOfSession, readClosedSession } from "../records/session-store.ts";
import { readLedgerFiles } from "./files.ts";
import { parseLineBytes, textField } from "./line.ts";

/** An episode that was closed, and whose record neither a work tree nor git's history has. */
export interface MissingRecord {
  sessionId: string;
  /** Where it was published, relative to the work tree. */
  path: string;
  /** What we kept of it, absolute; undefined for one that was closed without a copy. */
  copy?: string;
}

/** The last path that the ledger names of each closed episode's record. */
function pathsInLedger({ layout }: Checkout): Map<string, string> {
  const paths = new Map<string, string>();
  readLedgerFiles(layout.state, (files) => {
    for (const file of files) {
      scanMatching(file, '"session_path":', 0, (buffer, start, end) => {
        const line = parseLineBytes(buffer, start, end);
        const path = line === undefined ? undefined : textField(line, "session_path");
        const session = line?.event === "session.recovered" ? textField(line, "session_id") : line?.session;
        if (path !== undefined && session !== undefined) paths.set(session, path);
      });
    }
    return paths;
  });
  return paths;
}

/** Names of the closed records of every worktree that stands. */
function namesInStores(checkout: Checkout, { worktrees }: WorktreeMap): Set<string> {
  const roots = worktrees.filter(({ exists }) => exists).map(({ path }) => path);
  return new Set(
    [checkout.root, ...roots].flatMap((root) =>
      listDirectory(layoutOf(root, checkout.settings.manifest).sessions),
    ),
  );
}

/**
 * The copies that answer for a worktree: its own, and those of worktrees that are gone, whose untracked records
 * went with them. A worktree that stands answers for itself.
 */
function copiesHere(checkout: Checkout, { byIdentity }: WorktreeMap): { path: string; name: string }[] {
  return closedCopies(checkout).filter(
    ({ identity }) => identity === checkout.worktreeIdentity || !byIdentity.has(identity),
  );
}

function isAtItsPlace(checkout: Checkout, path: string): boolean {
  return stampOf(join(checkout.root, path)) !== undefined;
}

/**
 * Closed records that git took away: cleaned, stashed, or reset with the commit that had them. A record that any
 * branch, tag or remote has in its history is not missing: another checkout shows it, or somebody removed it.
 * One git process, and none where every record is in its place.
 */
export function missingRecords(checkout: Checkout): MissingRecord[] {
  const map = readWorktreeMap(checkout);
  const standing = namesInStores(checkout, map);
  const { sessions } = checkout.layout;
  const found = new Map<string, MissingRecord>();
  for (const [sessionId, path] of pathsInLedger(checkout)) {
    if (standing.has(basename(path)) || isAtItsPlace(checkout, path)) continue;
    found.set(sessionId, { sessionId, path });
  }
  for (const { path: copy, name } of copiesHere(checkout, map)) {
    if (standing.has(name)) continue;
    const record = readClosedSession(copy);
    if (!record.ok) continue;
    const sessionId = record.value.session_id;
    const noted = found.get(sessionId);
    // Of several copies the one stands that the ledger named last, else the newest.
    if (noted?.copy !== undefined && basename(noted.path) === basename(noted.copy)) continue;
    const path = noted?.path ?? shownPath(checkout.root, join(sessions, name));
    found.set(sessionId, { sessionId, path, copy });
  }
  const missing = [...found.values()].filter(
    ({ sessionId }) => findRecordOfSession(sessions, sessionId) === undefined,
  );
  if (missing.length === 0) return [];
  const recorded = recordedPaths(
    checkout.repository,
    missing.map(({ path }) => path),
  );
  return missing.filter(({ path }) => !recorded.has(path));
}
