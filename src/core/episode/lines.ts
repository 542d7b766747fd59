import type { Checkout } from "../checkout/checkout.ts";
import { findShadowJournal } from "../journal/shadow-journal.ts";
import { scanMatching } from "../fs/scan.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { parseLineBytes, textField } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { sessionLines } from "../ledger/read.ts";

function identityOf(line: LedgerLine): string {
  return JSON.stringify([...line.fields]);
}

/**
 * Every line of an episode: those of the ledger and its archives in their order, then those that only its
 * shadow journal has (the ledger went with its worktree, or they still wait in the spool).
 */
export function episodeLines(
  checkout: Pick<Checkout, "layout" | "common">,
  sessionId: string,
): { lines: LedgerLine[]; shadowed: boolean } {
  const lines = readLedgerFiles(checkout.layout.state, (files) =>
    files.flatMap((file) => sessionLines(file, sessionId)),
  );
  const shadow = findShadowJournal(checkout.common, sessionId);
  if (shadow === undefined) return { lines, shadowed: false };
  const known = new Map<string, number>();
  for (const line of lines) known.set(identityOf(line), (known.get(identityOf(line)) ?? 0) + 1);
  for (const line of sessionLines(shadow, sessionId)) {
    const left = known.get(identityOf(line)) ?? 0;
    if (left > 0) known.set(identityOf(line), left - 1);
    else lines.push(line);
  }
  return { lines, shadowed: true };
}

/** Whether the ledger says already that this episode was recovered: the line carries the id in its payload. */
export function wasRecovered(checkout: Pick<Checkout, "layout">, sessionId: string): boolean {
  return readLedgerFiles(checkout.layout.state, (files) =>
    files.some((file) => {
      let found = false;
      scanMatching(file, `"${sessionId}"`, 0, (buffer, start, end) => {
        const line = parseLineBytes(buffer, start, end);
        if (line?.event === "session.recovered" && textField(line, "session_id") === sessionId) found = true;
      });
      return found;
    }),
  );
}
