import { basename } from "node:path";
import { reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { appendLines } from "../fs/append.ts";
import { readText } from "../fs/read.ts";
import { removeFile } from "../fs/write.ts";
import { CLOSED_COPIES, copyRecord } from "../journal/record-copies.ts";
import { readRegistration, retireRegistration } from "../journal/registration.ts";
import type { RegistrationEntry } from "../journal/registration.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { forgetIndexedSession } from "../journal/session-index.ts";
import { retireShadowJournal } from "../journal/shadow-journal.ts";
import { spooledLines } from "../journal/spool.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { textField } from "../ledger/line.ts";
import { recordEvent } from "../ledger/record-event.ts";
import type { Recorded } from "../ledger/record-event.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import { readClosedSession } from "../records/session-store.ts";
import { findWorkingContext, formatCloseSection, parseWorkingContext } from "../records/working-context.ts";
import { episodeLines } from "./lines.ts";
import { settlePointer } from "./settle-pointer.ts";

const MAXIMUM_RECORD_BYTES = 1024 * 1024;

/** The episode whose record stands. */
export type ClosingEpisode = Pick<RosterEntry, "sessionId" | "registration">;

export interface Closing {
  outcome: "closed" | "interrupted";
  /** Why it ended, in the provider's words or ours; kept in the registration. */
  reason: string;
  /** Put the ledger line aside when the ledger stays locked. */
  deferrable: boolean;
  /** The event that says so: a recovered episode is closed by another line. */
  announce?: (recordPath: string) => Recorded;
}

export interface Finished {
  /** The ledger line waits in the spool. */
  deferred: boolean;
  /** What could not be done, and stops nothing. */
  notes: string[];
}

/**
 * What follows the record (records.md 3.4, close 5 to 7): ledger line, working context, open file, pointer, our
 * own state. Each step looks whether it was done before. The open file goes after all that needs the episode
 * to be found again, so that a close killed at any instant is finished by the next event.
 *
 * The caller holds the episode's lock.
 */
export function finishClose(
  checkout: Checkout,
  episode: ClosingEpisode,
  path: string,
  lines: readonly LedgerLine[],
  closing: Closing,
): Finished {
  const recorded = closeInLedger(checkout, episode.sessionId, path, lines, closing);
  const notes = [
    ...keepAgain(checkout, path),
    ...noteClose(checkout, episode.sessionId, path, closing.outcome),
  ];
  removeOpenFiles(checkout, episode.sessionId);
  settlePointer(checkout, episode.sessionId);
  retireShadowJournal(checkout.common, episode.sessionId);
  if (episode.registration !== undefined) retire(checkout, episode.registration, closing.reason);
  return { deferred: recorded === "deferred", notes };
}

/** A record that nobody committed is an untracked file, and any clean-up of git takes it away. */
function keepAgain(checkout: Checkout, path: string): string[] {
  try {
    const text = readText(path, { maximumBytes: MAXIMUM_RECORD_BYTES });
    if (!text.ok) throw new Error(text.error.message);
    copyRecord(checkout, CLOSED_COPIES, basename(path), text.value);
    return [];
  } catch (error) {
    return [`no copy of the record was kept in the common directory: ${reasonOf(error)}`];
  }
}

/** The registration goes last: as long as it stands, a killed close is found again and finished. */
function retire(checkout: Checkout, entry: RegistrationEntry, reason: string): void {
  const { provider, raw_id, session_id } = entry.registration;
  const standing = readRegistration(checkout.common, provider, raw_id)?.registration.session_id;
  if (standing === session_id) forgetIndexedSession(checkout.environment, provider, raw_id);
  retireRegistration(checkout.common, entry, { at: formatTimestamp(checkout.clock.now()), reason });
}

/** Finishes the close of an episode by what its record says: the close was killed, or the original's. */
export function finishStandingClose(checkout: Checkout, episode: ClosingEpisode, path: string): Finished {
  const record = readClosedSession(path);
  const { lines } = episodeLines(checkout, episode.sessionId);
  return finishClose(checkout, episode, path, lines, {
    outcome: record.ok ? record.value.outcome : "interrupted",
    reason: "its record stood already",
    deferrable: true,
  });
}

/** An episode's lines may hold the recovery of another one, which its worker asked for. */
function closes(line: LedgerLine, sessionId: string): boolean {
  if (line.event === "session.recovered") return textField(line, "session_id") === sessionId;
  return line.event === "session.closed";
}

function closeInLedger(
  checkout: Checkout,
  sessionId: string,
  path: string,
  lines: readonly LedgerLine[],
  closing: Closing,
): Recorded {
  if (lines.some((line) => closes(line, sessionId))) return "written";
  const waits = spooledLines(checkout.common).some(
    (line) => line.includes(`"session":"${sessionId}"`) && line.includes('"event":"session.closed"'),
  );
  if (waits) return "deferred";
  const record = shownPath(checkout.root, path);
  if (closing.announce !== undefined) return closing.announce(record);
  return recordEvent(
    checkout,
    "session.closed",
    { outcome: closing.outcome, session_path: record },
    { session: sessionId, deferrable: closing.deferrable },
  );
}

function removeOpenFiles(checkout: Checkout, sessionId: string): void {
  for (const { path, episode } of listOpenEpisodes(checkout.layout.sessionsOpen).episodes) {
    if (episode.session_id === sessionId) removeFile(path);
  }
}

/** A working context that cannot be written to must not keep its episode open for ever; it is tried twice. */
function noteClose(checkout: Checkout, sessionId: string, path: string, outcome: string): string[] {
  try {
    return writeClose(checkout, sessionId, path, outcome);
  } catch {
    // Nothing comes back to it later: one refusal of the disk must not leave it without its end.
  }
  try {
    return writeClose(checkout, sessionId, path, outcome);
  } catch (error) {
    return [`the working context could not be closed: ${reasonOf(error)}`];
  }
}

function writeClose(checkout: Checkout, sessionId: string, path: string, outcome: string): [] {
  const document = findWorkingContext(checkout.layout.contexts, sessionId);
  if (document === undefined) return [];
  const text = readText(document, { maximumBytes: 1024 * 1024 });
  const parsed = text.ok ? parseWorkingContext(text.value) : undefined;
  if (parsed?.ok === true && parsed.value.closed) return [];
  const section = formatCloseSection({
    closed_at: formatTimestamp(checkout.clock.now()),
    outcome,
    head: headText(checkout),
    record: shownPath(checkout.root, path),
  });
  appendLines(document, section.replace(/\n$/, "").split("\n"));
  return [];
}
