import { relative, sep } from "node:path";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { appendLines } from "../fs/append.ts";
import { LockTimeout, withLock } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, publishExclusive, removeFile } from "../fs/write.ts";
import { retireRegistration } from "../journal/registration.ts";
import { episodeFacts, readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { forgetIndexedSession } from "../journal/session-index.ts";
import { retireShadowJournal } from "../journal/shadow-journal.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { recordEvent } from "../ledger/record-event.ts";
import type { Recorded } from "../ledger/record-event.ts";
import { formatClosedSession } from "../records/closed-session.ts";
import type { ClosedSession } from "../records/closed-session.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import { closedSessionName } from "../records/record-name.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { findWorkingContext, formatCloseSection, parseWorkingContext } from "../records/working-context.ts";
import { episodeLines } from "./lines.ts";
import { episodeLock } from "./open.ts";
import { settlePointer } from "./settle-pointer.ts";

export interface SealRequest {
  outcome: "closed" | "interrupted";
  /** Why it ended, in the provider's words or ours; kept in the registration. */
  reason: string;
  /** Put the ledger line aside when the ledger stays locked. */
  deferrable: boolean;
  /** Makes the record from the episode's own lines; called only when none stands yet. */
  compose: (lines: readonly LedgerLine[]) => ClosedSession;
  /** The branch for the record's name, when it is not this checkout's. */
  branch?: string;
  /** Work that must precede the closing ledger line, such as deriving knowledge. */
  beforeClosing?: (lines: readonly LedgerLine[]) => void;
  /** The event that says so: a recovered episode is closed by another line. */
  announce?: (recordPath: string) => Recorded;
}

export interface SealOutcome {
  /** The closed record, absolute. */
  path: string;
  /** False when the record stood already: a close that was killed goes on from there. */
  written: boolean;
  deferred: boolean;
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
    const recorded = closeInLedger(checkout, entry.sessionId, request, lines, path);
    removeOpenFiles(checkout, entry.sessionId);
    settlePointer(checkout, entry.sessionId);
    noteClose(checkout, entry.sessionId, request.outcome, path);
    retire(checkout, entry, request.reason);
    return { path, written, deferred: recorded === "deferred" };
  });
}

/** Puts our own state of a sealed episode away. */
function retire(checkout: Checkout, entry: RosterEntry, reason: string): void {
  if (entry.registration !== undefined) {
    const { provider, raw_id } = entry.registration.registration;
    const at = formatTimestamp(checkout.clock.now());
    const retired = retireRegistration(checkout.common, entry.registration, { at, reason });
    if (retired) forgetIndexedSession(checkout.environment, provider, raw_id);
  }
  retireShadowJournal(checkout.common, entry.sessionId);
}

/**
 * Puts away what is left of an episode whose record stands: its close was killed near its end, or done by the
 * original, which knows nothing of ours. Whoever is at it right now is not disturbed.
 */
export function retireLeftBehind(checkout: Checkout, entry: RosterEntry): void {
  const registered = entry.registration;
  if (registered === undefined) return;
  const { provider, raw_id } = registered.registration;
  try {
    withLock(episodeLock(checkout, provider, raw_id), { waitMilliseconds: 0 }, () => {
      retire(checkout, entry, "its record stood already");
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

const CLOSING_EVENTS: ReadonlySet<string> = new Set(["session.closed", "session.recovered"]);

function closeInLedger(
  checkout: Checkout,
  sessionId: string,
  request: SealRequest,
  lines: readonly LedgerLine[],
  path: string,
): Recorded {
  if (lines.some((line) => CLOSING_EVENTS.has(line.event))) return "written";
  const record = recordPath(checkout, path);
  if (request.announce !== undefined) return request.announce(record);
  return recordEvent(
    checkout,
    "session.closed",
    { outcome: request.outcome, session_path: record },
    { session: sessionId, deferrable: request.deferrable },
  );
}

function removeOpenFiles(checkout: Checkout, sessionId: string): void {
  for (const { path, episode } of listOpenEpisodes(checkout.layout.sessionsOpen).episodes) {
    if (episode.session_id === sessionId) removeFile(path);
  }
}

function noteClose(checkout: Checkout, sessionId: string, outcome: string, path: string): void {
  const document = findWorkingContext(checkout.layout.contexts, sessionId);
  if (document === undefined) return;
  const text = readText(document, { maximumBytes: 1024 * 1024 });
  const parsed = text.ok ? parseWorkingContext(text.value) : undefined;
  if (parsed?.ok === true && parsed.value.closed) return;
  const section = formatCloseSection({
    closed_at: formatTimestamp(checkout.clock.now()),
    outcome,
    head: headText(checkout),
    record: recordPath(checkout, path),
  });
  appendLines(document, section.replace(/\n$/, "").split("\n"));
}

/** The open episode of this id as the roster knows it now, or undefined. */
export function findOpenEpisode(checkout: Checkout, sessionId: string): RosterEntry | undefined {
  return readRoster(checkout).entries.find((entry) => entry.sessionId === sessionId);
}
