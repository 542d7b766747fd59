import { join } from "node:path";
import type { Checkout } from "../../checkout/checkout.ts";
import { listDirectory } from "../../fs/read.ts";
import { spoolNumbers } from "../../journal/spool-file.ts";
import type { Finding } from "../../labels/terms.ts";
import { isRotationPending } from "../../ledger/files.ts";
import { judgeLedger } from "../judge-ledger.ts";
import { judgement } from "../judgement.ts";

const CATEGORY = "ledger";
const FILE = "ledger.jsonl";

/** How many lines the policy would keep (records.md 5). */
export function judgeLedgerLength(level: "WARN" | "DRIFT", { settings }: Checkout, lines: number): Finding[] {
  const cap = settings.policy.ledger.retention_max_lines;
  if (lines <= cap) return [];
  const message = `${lines} lines, the policy keeps ${cap}; \`majordomus history --rotate\` moves the rest`;
  return [judgement(level, "retention", FILE, message, "wc -l .ai/local/state/ledger.jsonl")];
}

/** The ledger with what belongs to it: its length, a rotation that was stopped, lines that still wait. */
export function judgeLedgerStore(checkout: Checkout): Finding[] {
  const { findings, lines } = judgeLedger("FAIL", checkout);
  const waiting = spoolNumbers(checkout.common).length;
  const unusable = listDirectory(join(checkout.common.spool, "unusable")).length;
  const notes: [boolean, string][] = [
    [
      isRotationPending(checkout.layout.ledger),
      "a rotation was stopped; the next line that is written finishes it",
    ],
    [waiting > 0, `${waiting} deferred append(s) wait; the next command writes them`],
    [unusable > 0, `${unusable} deferred append(s) could not be written and are kept in the spool`],
  ];
  return [
    ...findings,
    ...judgeLedgerLength("WARN", checkout, lines),
    ...notes
      .filter(([stands]) => stands)
      .map(([, message]) => judgement("WARN", CATEGORY, FILE, message, "majordomus history --validate")),
  ];
}
