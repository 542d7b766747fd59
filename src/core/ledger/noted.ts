import type { Checkout } from "../checkout/checkout.ts";
import { scanMatching } from "../fs/scan.ts";
import { spooledLines } from "../journal/spool.ts";
import { readLedgerFiles } from "./files.ts";
import { parseLine } from "./line.ts";

/**
 * Whether the ledger, its archives, or what still waits for it, has a line of this event with these texts. For the
 * second run of a command that was killed between its store and its line: it completes the first, and doubles nothing.
 */
export function isNoted(
  { layout, common }: Pick<Checkout, "layout" | "common">,
  event: string,
  texts: Readonly<Record<string, string>>,
): boolean {
  const saysSo = (text: string): boolean => {
    const line = parseLine(text);
    return (
      line?.event === event && Object.entries(texts).every(([key, value]) => line.fields.get(key) === value)
    );
  };
  if (spooledLines(common).some(saysSo)) return true;
  return readLedgerFiles(layout.state, (files) => {
    let noted = false;
    for (const file of files) {
      scanMatching(file, `"event":"${event}"`, 0, (buffer, start, end) => {
        noted ||= saysSo(buffer.toString("utf8", start, end));
      });
    }
    return noted;
  });
}
