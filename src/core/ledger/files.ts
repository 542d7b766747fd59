import { dirname, join } from "node:path";
import { listDirectory, readRegularFile, stampOf } from "../fs/read.ts";
import { removeFile } from "../fs/write.ts";
import { readPending, writePending } from "./pending.ts";
import type { PendingRotation } from "./pending.ts";

/** Reading a ledger of more than this into memory at once is refused. */
export const MAXIMUM_LEDGER_BYTES = 1024 * 1024 * 1024;

const ARCHIVE = /^ledger\.(\d{8}T\d{6}Z)(?:-(\d{1,9}))?\.jsonl\.archived$/;

/**
 * Says that `archive` is about to repeat the first `bytes` of the ledger: between that copy and the
 * replacement of the ledger those lines stand in both files, and readers must know which of the two counts.
 * The caller holds the ledger's lock.
 */
export function markRotation(ledger: string, archive: string, bytes: number): void {
  const rotation = { archive, bytes, inode: stampOf(ledger)?.inode ?? "" };
  writePending(ledger, { ...readPending(ledger), rotation });
}

/** The rotation that is under way or was killed. */
function pendingRotation(ledger: string): PendingRotation | undefined {
  const { rotation } = readPending(ledger);
  return rotation !== undefined && ARCHIVE.test(rotation.archive) ? rotation : undefined;
}

/** Whether a rotation is under way or was killed. */
export function isRotationPending(ledger: string): boolean {
  return pendingRotation(ledger) !== undefined;
}

/**
 * Brings a killed rotation to an end at which every line stands in one file: an archive that only repeats
 * what the ledger still holds is removed, one that the ledger no longer holds stays. The caller holds the
 * ledger's lock.
 */
export function settleRotation(ledger: string): void {
  const marker = pendingRotation(ledger);
  if (marker !== undefined && stampOf(ledger)?.inode === marker.inode) {
    const archive = join(dirname(ledger), marker.archive);
    if (repeatsLedger(ledger, archive, marker.bytes)) removeFile(archive);
  }
  const { deferred } = readPending(ledger);
  writePending(ledger, deferred === undefined ? {} : { deferred });
}

function repeatsLedger(ledger: string, archive: string, bytes: number): boolean {
  const copy = readRegularFile(archive, { maximumBytes: MAXIMUM_LEDGER_BYTES });
  const whole = readRegularFile(ledger, { maximumBytes: MAXIMUM_LEDGER_BYTES });
  return (
    copy.ok && whole.ok && copy.value.length === bytes && whole.value.subarray(0, bytes).equals(copy.value)
  );
}

/** The name of the `attempt`th archive of one second, from 1: names that exist get `-2`, `-3` (decisions.md 3). */
export function archiveName(compact: string, attempt: number): string {
  return `ledger.${compact}${attempt === 1 ? "" : `-${attempt}`}.jsonl.archived`;
}

function archiveOrder(name: string): [string, number] {
  const match = ARCHIVE.exec(name);
  return [match?.[1] ?? "", Number(match?.[2] ?? 1)];
}

function compareArchives(left: string, right: string): number {
  const [leftTime, leftNumber] = archiveOrder(left);
  const [rightTime, rightNumber] = archiveOrder(right);
  if (leftTime !== rightTime) return leftTime < rightTime ? -1 : 1;
  return leftNumber - rightNumber;
}

/**
 * The files that together hold every line once: archives from the oldest on, then the ledger. The ledger
 * is listed even where it does not exist yet.
 *
 * @param state the directory that holds `ledger.jsonl`.
 */
export function ledgerFiles(state: string): string[] {
  const ledger = join(state, "ledger.jsonl");
  const marker = pendingRotation(ledger);
  const repeated =
    marker !== undefined && stampOf(ledger)?.inode === marker.inode ? marker.archive : undefined;
  const archives = listDirectory(state)
    .filter((name) => ARCHIVE.test(name) && name !== repeated)
    .toSorted(compareArchives)
    .map((name) => join(state, name));
  return [...archives, ledger];
}

const ATTEMPTS = 5;

/**
 * Reads all files of a ledger as one. A rotation that happens meanwhile moves lines from one file to
 * another: the reading is then done again, from nothing, so that no line is missed or seen twice.
 */
export function readLedgerFiles<Value>(state: string, read: (files: readonly string[]) => Value): Value {
  for (let attempt = 1; ; attempt += 1) {
    const before = snapshot(state);
    const value = read(before.files);
    if (attempt === ATTEMPTS || before.key === snapshot(state).key) return value;
  }
}

function snapshot(state: string): { files: string[]; key: string } {
  const files = ledgerFiles(state);
  const inode = stampOf(join(state, "ledger.jsonl"))?.inode ?? "";
  return { files, key: `${inode}\n${files.join("\n")}` };
}
