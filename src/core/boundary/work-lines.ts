import type { Checkout } from "../checkout/checkout.ts";
import { episodeLines } from "../episode/lines.ts";
import { findShadowJournal } from "../journal/shadow-journal.ts";
import { episodeFacts } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { sessionLines } from "../ledger/read.ts";
import type { EpisodeStart } from "../task/work-facts.ts";

/**
 * The lines of an episode for a hook: its shadow journal where that begins with the opening, since the ledger
 * may be long; else all that every account has.
 */
export function workLines(checkout: Pick<Checkout, "layout" | "common">, sessionId: string): LedgerLine[] {
  const shadow = findShadowJournal(checkout.common, sessionId);
  const lines = shadow === undefined ? [] : sessionLines(shadow, sessionId);
  return lines[0]?.event === "session.started" ? lines : episodeLines(checkout, sessionId).lines;
}

/** Where an open episode began. */
export function episodeStart(entry: RosterEntry): EpisodeStart {
  const { branch, start_head: startHead } = episodeFacts(entry);
  return { sessionId: entry.sessionId, branch, startHead };
}
