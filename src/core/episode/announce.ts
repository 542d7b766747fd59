import type { Checkout } from "../checkout/checkout.ts";
import { scanLines, scanMatching } from "../fs/scan.ts";
import type { VisitLine } from "../fs/scan.ts";
import type { Registration } from "../journal/registration.ts";
import { findShadowJournal, shadowLines } from "../journal/shadow-journal.ts";
import { spooledLines } from "../journal/spool.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { parseLineBytes } from "../ledger/line.ts";
import { recordEvent } from "../ledger/record-event.ts";

/** More than an opening's line ever has. */
const FIRST_BYTES = 4096;

/**
 * Says in the ledger that an episode was opened.
 *
 * @returns true when the line waits in the spool.
 */
export function announceOpening(
  checkout: Checkout,
  registration: Registration,
  request: { deferrable: boolean },
): boolean {
  const recorded = recordEvent(
    checkout,
    "session.started",
    {
      owner: registration.owner,
      ...(registration.worker === undefined ? {} : { worker: registration.worker }),
      ...(registration.continues === undefined ? {} : { continues: registration.continues.session_id }),
    },
    { session: registration.session_id, deferrable: request.deferrable },
  );
  return recorded === "deferred";
}

/**
 * Says so unless it was said: by a start that was killed right after it, or by the original, whose lines our
 * shadow journal then takes over. The ledger itself is asked only where that journal does not know.
 *
 * @returns true when the line waits in the spool.
 */
export function ensureAnnounced(
  checkout: Checkout,
  registration: Registration,
  request: { deferrable: boolean },
): boolean {
  const { session_id } = registration;
  const shadow = findShadowJournal(checkout.common, session_id);
  // Nearly every journal begins with it: the rest need not be read for that.
  if (shadow !== undefined && beginsWithOpening(shadow, session_id)) return false;
  const shadowed = shadow === undefined ? [] : linesIn([shadow], session_id);
  if (shadowed.some(isOpening)) return false;
  if (spooledLines(checkout.common).some((line) => line.includes(`"session":"${session_id}"`))) return true;
  const lines = readLedgerFiles(checkout.layout.state, (files) => linesIn(files, session_id));
  if (!lines.some(isOpening)) return announceOpening(checkout, registration, request);
  const missing = lines.filter(({ text }) => !shadowed.some((known) => known.text === text));
  shadowLines(
    checkout.common,
    session_id,
    missing.map(({ text }) => text),
  );
  return false;
}

interface StampedLine {
  event: string;
  text: string;
}

function isOpening({ event }: { event: string }): boolean {
  return event === "session.started";
}

function beginsWithOpening(file: string, sessionId: string): boolean {
  let begins = false;
  const visit: VisitLine = (buffer, start, end) => {
    const line = parseLineBytes(buffer, start, end);
    begins = line?.session === sessionId && isOpening(line);
  };
  scanLines(file, 0, visit, { to: 1, chunkBytes: FIRST_BYTES });
  return begins;
}

function linesIn(files: readonly string[], sessionId: string): StampedLine[] {
  const found: StampedLine[] = [];
  for (const file of files) {
    scanMatching(file, `"${sessionId}"`, 0, (buffer, start, end) => {
      const line = parseLineBytes(buffer, start, end);
      if (line?.session !== sessionId) return;
      found.push({ event: line.event, text: buffer.toString("utf8", start, end) });
    });
  }
  return found;
}
