import { dirname, join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readRegularFile } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { DECISIONS_PREAMBLE, LOG_MAXIMUM_BYTES } from "../records/decisions.ts";
import type { ContinuityPlace } from "./place.ts";
import type { SignedRecord, TravellingDecision } from "./record.ts";

const NEWLINE = 0x0a;
const HEADING = /^## +(.+?)\s*$/;

/** A line of another machine's log that could not be mistaken for anything else in ours. */
function isHarmless(line: string): boolean {
  return !line.startsWith("## ") && !line.includes("<!--");
}

function titleOf({ title }: TravellingDecision): string {
  return title.replaceAll("<!--", "").replaceAll(/\s+/gu, " ").trim();
}

function entryOf(decision: TravellingDecision, from: string): string {
  const lines = decision.text
    .trimEnd()
    .split(/\r\n|\n|\r/)
    .filter(isHarmless);
  return `\n${[`## ${titleOf(decision)}`, ...lines, from].join("\n")}\n`;
}

function readLog(path: string): Buffer {
  const log = readRegularFile(path, { maximumBytes: LOG_MAXIMUM_BYTES });
  if (log.ok) return log.value;
  if (log.error.kind === "absent") return Buffer.alloc(0);
  throw new MajordomusError({
    code: "store.unreadable",
    exit: EXIT.finding,
    subject: path,
    message: log.error.message,
  });
}

/** The decisions of a record whose headings a log does not have yet. */
function missingFrom(log: Buffer, decisions: readonly TravellingDecision[]): TravellingDecision[] {
  const known = new Set(
    log
      .toString("utf8")
      .split(/\r?\n/)
      .flatMap((line) => HEADING.exec(line)?.[1] ?? []),
  );
  const missing: TravellingDecision[] = [];
  for (const decision of decisions) {
    const title = titleOf(decision);
    if (title === "" || known.has(title)) continue;
    known.add(title);
    missing.push(decision);
  }
  return missing;
}

/**
 * Appends the decisions that travelled with a record to this checkout's log, each once (records.md 14.17).
 * Every byte that stands there is kept.
 *
 * @returns how many were appended.
 */
export function carryDecisions(
  { checkout }: Pick<ContinuityPlace, "checkout">,
  { id, record }: SignedRecord,
): number {
  const { decisions = [], device } = record;
  if (decisions.length === 0) return 0;
  const path = checkout.layout.decisions;
  const label = device.label.replaceAll(/\p{Cc}/gu, "");
  const from = `Carried: continuity ${id.slice(0, 16)} from ${label}`;
  makeDirectory(checkout.layout.locks);
  return withPatientLock(join(checkout.layout.locks, "decisions"), checkout.patience, (lock) => {
    const log = readLog(path);
    const missing = missingFrom(log, decisions);
    if (missing.length === 0) return 0;
    const standing = log.length === 0 ? Buffer.from(DECISIONS_PREAMBLE) : log;
    const newline = standing.at(-1) === NEWLINE ? "" : "\n";
    const text = newline + missing.map((decision) => entryOf(decision, from)).join("");
    makeDirectory(dirname(path));
    lock.assertHeld();
    writeAtomic(path, Buffer.concat([standing, Buffer.from(text)]), { durable: true });
    return missing.length;
  });
}
