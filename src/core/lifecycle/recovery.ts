import { join, relative } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import { takeBalance } from "../ledger/balance.ts";
import { ledgerFiles } from "../ledger/files.ts";
import { missingRecords } from "../ledger/missing-records.ts";
import { summarise } from "../ledger/summary-cache.ts";
import type { Finding } from "../labels/terms.ts";
import type { RecoveryAnswer } from "./answers.ts";

function strandedReason(entry: RosterEntry, closed: ReadonlySet<string>): string | undefined {
  const stranding = strandingOf(entry);
  if (stranding !== undefined) return stranding.reason;
  if (closed.has(entry.sessionId)) return "the ledger says that it was closed";
  return undefined;
}

/** What can no longer close itself, what a killed close left behind, and the arithmetic of it all (records.md 13.2). */
export function readRecovery(checkout: Checkout): RecoveryAnswer {
  const roster = readRoster(checkout);
  const closed = new Set(ledgerFiles(checkout.layout.state).flatMap((file) => [...summarise(file).closed]));
  const stranded = roster.entries.flatMap((entry) => {
    const reason = strandedReason(entry, closed);
    return reason === undefined
      ? []
      : [{ session_id: entry.sessionId, path: entry.path, reason, remedy: "majordomus recover episodes" }];
  });
  const orphans = listDirectory(checkout.layout.sessions)
    .filter((name) => name.startsWith(".tmp."))
    .map((name) => join(checkout.layout.sessions, name))
    .map((path) => ({ path, bytes: stampOf(path)?.size ?? 0 }));
  const findings: Finding[] = roster.unreadable.map(({ path, reason }) => ({
    level: "WARN",
    category: "recovery",
    subject: relative(checkout.root, path),
    message: reason,
  }));
  for (const { sessionId, path } of missingRecords(checkout)) {
    findings.push({
      level: "WARN",
      category: "recovery",
      subject: sessionId,
      message: `counts as closed, but its record is not there: ${path}`,
      reproduce: "majordomus recover records --check",
    });
  }
  const { pointer } = roster;
  return {
    present: true,
    pointer: {
      layout: pointer.layout,
      ...(pointer.target === undefined ? {} : { target: pointer.target }),
      resolves: pointer.resolves,
      ...(pointer.sessionId === undefined ? {} : { session_id: pointer.sessionId }),
      note: pointer.note,
    },
    ...(stranded.length === 0 ? {} : { stranded }),
    ...(orphans.length === 0 ? {} : { orphans }),
    balance: takeBalance(checkout, roster),
    ...(findings.length === 0 ? {} : { findings }),
  };
}
