import type { Checkout } from "../checkout/checkout.ts";
import { scanMatching } from "../fs/scan.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { parseLineBytes, textField } from "../ledger/line.ts";

/** Whether the ledger or an archive has this event about this record. */
export function ledgerSays({ layout }: Pick<Checkout, "layout">, event: string, id: string): boolean {
  return readLedgerFiles(layout.state, (files) =>
    files.some((file) => {
      let found = false;
      scanMatching(file, `"id":"${id}"`, 0, (buffer, start, end) => {
        if (found) return;
        const line = parseLineBytes(buffer, start, end);
        found = line?.event === event && textField(line, "id") === id;
      });
      return found;
    }),
  );
}
