import { join, relative } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import { takeBalance } from "../ledger/balance.ts";
import { ledgerFiles } from "../ledger/files.ts";
import { missingRecords } from "../ledger/missing-records.ts";
import { summarise } from "../ledger/summary-cache.ts";
import type { Finding } from "../labels/terms.ts";
import { readPointer } from "../records/pointer.ts";
import type { Pointer } from "../records/pointer.ts";
import type { RecoveryAnswer } from "./answers.ts";

function strandedReason(entry: RosterEntry, closed: ReadonlySet<string>): string | undefined {
  const stranding = strandingOf(entry);
  if (stranding !== undefined) return stranding.reason;
  if (closed.has(entry.sessionId)) return "the ledger says that it was closed";
  return undefined;
}

function leftTemporaries({ layout }: Checkout): NonNullable<RecoveryAnswer["orphans"]> {
  return listDirectory(layout.sessions)
    .filter((name) => name.startsWith(".tmp."))
    .map((name) => join(layout.sessions, name))
    .map((path) => ({ path, bytes: stampOf(path)?.size ?? 0 }));
}

function pointerView(pointer: Pointer | undefined, reason: string | undefined): RecoveryAnswer["pointer"] {
  if (pointer === undefined) return { layout: "unknown", resolves: false, note: reason ?? "cannot be read" };
  return {
    layout: pointer.layout,
    ...(pointer.target === undefined ? {} : { target: pointer.target }),
    resolves: pointer.resolves,
    ...(pointer.sessionId === undefined ? {} : { session_id: pointer.sessionId }),
    note: pointer.note,
  };
}

/**
 * What can no longer close itself, what a killed close left behind, and the arithmetic of it all (records.md 13.2).
 * Of what cannot be read a finding tells, and sums that rest on it are left out.
 */
export function readRecovery(checkout: Checkout): RecoveryAnswer {
  const readings = new Readings(checkout.root, "FAIL");
  const part = <Value>(read: () => Value): Value | undefined => readings.attempt("recovery", read);
  const pointer = readings.attempt("pointer", () => readPointer(checkout.layout));
  const roster = part(() => readRoster(checkout));
  const ended = part(
    () => new Set(ledgerFiles(checkout.layout.state).flatMap((file) => [...summarise(file).closed])),
  );
  const stranded = (roster?.entries ?? []).flatMap((entry) => {
    const reason = strandedReason(entry, ended ?? new Set());
    return reason === undefined
      ? []
      : [{ session_id: entry.sessionId, path: entry.path, reason, remedy: "majordomus recover episodes" }];
  });
  const orphans = part(() => leftTemporaries(checkout)) ?? [];
  const findings: Finding[] = (roster?.unreadable ?? []).map(({ path, reason }) => ({
    level: "WARN",
    category: "recovery",
    subject: relative(checkout.root, path),
    message: reason,
  }));
  for (const { sessionId, path } of part(() => missingRecords(checkout)) ?? []) {
    findings.push({
      level: "WARN",
      category: "recovery",
      subject: sessionId,
      message: `counts as closed, but its record is not there: ${path}`,
      reproduce: "majordomus recover records --check",
    });
  }
  const balance = roster === undefined ? undefined : part(() => takeBalance(checkout, roster));
  findings.push(...readings.findings);
  return {
    present: true,
    pointer: pointerView(pointer, readings.reasonOf("pointer")),
    ...(stranded.length === 0 ? {} : { stranded }),
    ...(orphans.length === 0 ? {} : { orphans }),
    ...(balance === undefined ? {} : { balance }),
    ...(findings.length === 0 ? {} : { findings }),
  };
}
