import { relative, sep } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { LockTimeout, withLock } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { makeDirectory, publishExclusive } from "../fs/write.ts";
import { episodeFacts } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { formatClosedSession } from "../records/closed-session.ts";
import type { ClosedSession } from "../records/closed-session.ts";
import { closedSessionName } from "../records/record-name.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { episodeLock } from "./episode-lock.ts";
import { finishClose, finishStandingClose } from "./finish-close.ts";
import type { Closing, Finished } from "./finish-close.ts";
import { episodeLines } from "./lines.ts";

export interface SealRequest extends Closing {
  /** Makes the record from the episode's own lines; called only when none stands yet. */
  compose: (lines: readonly LedgerLine[]) => ClosedSession;
  /** The branch for the record's name, when it is not this checkout's. */
  branch?: string;
  /** Work that must precede the closing ledger line, such as deriving knowledge. */
  beforeClosing?: (lines: readonly LedgerLine[]) => void;
}

export interface SealOutcome extends Finished {
  /** The closed record, absolute. */
  path: string;
  /** False when the record stood already: a close that was killed goes on from there. */
  written: boolean;
}

/** A path as records and ledger lines write it: relative to the work tree, with slashes. */
export function recordPath(checkout: Pick<Checkout, "root">, path: string): string {
  return relative(checkout.root, path).split(sep).join("/");
}

/**
 * Seals an episode into its closed record (records.md 3.4, close 3 to 7): publish, ledger line, open file,
 * pointer, working context, our own state. Each step looks whether it was done before, so that a close
 * killed at any instant is finished by the next one and doubles nothing.
 *
 * @throws LockTimeout when another process holds the episode for too long.
 */
export function sealEpisode(checkout: Checkout, entry: RosterEntry, request: SealRequest): SealOutcome {
  const { provider, providerSession } = episodeFacts(entry);
  const registration = entry.registration?.registration;
  const lock = episodeLock(
    checkout,
    registration?.provider ?? provider ?? "hand",
    registration?.raw_id ?? providerSession ?? entry.sessionId,
  );
  return withPatientLock(lock, checkout.patience, () => {
    const { lines } = episodeLines(checkout, entry.sessionId);
    const { path, written } = publish(checkout, entry.sessionId, request, lines);
    request.beforeClosing?.(lines);
    return { path, written, ...finishClose(checkout, entry, path, lines, request) };
  });
}

/**
 * Finishes the close of an episode of this worktree whose record stands. Whoever is at it right now is not
 * disturbed; what is another worktree's is left to that.
 */
export function retireLeftBehind(checkout: Checkout, entry: RosterEntry): void {
  const registered = entry.registration?.registration;
  if (registered === undefined || !entry.here) return;
  const lock = episodeLock(checkout, registered.provider, registered.raw_id);
  try {
    withLock(lock, { waitMilliseconds: 0 }, () => {
      const path = findRecordOfSession(checkout.layout.sessions, entry.sessionId);
      if (path !== undefined) finishStandingClose(checkout, entry, path);
    });
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
  }
}

function publish(
  checkout: Checkout,
  sessionId: string,
  request: SealRequest,
  lines: readonly LedgerLine[],
): { path: string; written: boolean } {
  const standing = findRecordOfSession(checkout.layout.sessions, sessionId);
  if (standing !== undefined) return { path: standing, written: false };
  const text = formatClosedSession(request.compose(lines));
  makeDirectory(checkout.layout.sessions);
  const nameFor = (): string =>
    closedSessionName({
      at: checkout.clock.now(),
      branch: request.branch ?? checkout.branch,
      head: checkout.head,
      random: checkout.random,
      sessionId,
    });
  const path = publishExclusive(checkout.layout.sessions, nameFor, text, { mode: 0o600, durable: true });
  return { path, written: true };
}
