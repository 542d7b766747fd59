import type { Checkout } from "../checkout/checkout.ts";
import { scanMatching } from "../fs/scan.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { parseLineBytes, textField } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";

/** What the ledger, its archives included, says of one task. */
export interface TaskLines {
  checkpoints: number;
  /** The outcomes that `task.finished` lines give, oldest first. */
  finished: string[];
}

/** Reads the lines of one task; only those that hold its id are parsed. */
export function readTaskLines({ layout }: Pick<Checkout, "layout">, id: string): TaskLines {
  return readLedgerFiles(layout.state, (files) => {
    const lines: TaskLines = { checkpoints: 0, finished: [] };
    for (const file of files) {
      scanMatching(file, Buffer.from(`"${id}"`), 0, (buffer, start, end) => {
        const line = parseLineBytes(buffer, start, end);
        if (line !== undefined && textField(line, "task_id") === id) count(lines, line);
      });
    }
    return lines;
  });
}

function count(lines: TaskLines, line: LedgerLine): void {
  if (line.event === "task.checkpoint") lines.checkpoints += 1;
  if (line.event === "task.finished") lines.finished.push(textField(line, "outcome") ?? "");
}
