import { join } from "node:path";
import type { HeldLock } from "../fs/lock.ts";
import { listDirectory, readRegularFile } from "../fs/read.ts";
import { createExclusive, makeDirectory, removeFile } from "../fs/write.ts";
import { DETACHED } from "../git/head.ts";
import { unfinishedPublications } from "../records/continuity-cache.ts";
import { admitRecord, recordPath } from "./admission.ts";
import { recallState } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { RECORD_ID, rememberPublished } from "./published.ts";
import { LIMITS } from "./record.ts";
import type { SignedRecord } from "./record.ts";
import { readStore } from "./store.ts";
import { takePublishedPosition } from "./take-position.ts";
import { addRecords } from "./write-store.ts";
import type { RecordFile } from "./write-store.ts";

type Here = Pick<ContinuityPlace, "checkout">;

function directoryOf({ checkout }: Here): string {
  return unfinishedPublications(checkout.layout.state);
}

/** The publications that a run of this checkout began and has not brought to their end, by id. */
export function listUnfinished(place: Here): string[] {
  return listDirectory(directoryOf(place)).filter((id) => RECORD_ID.test(id));
}

/**
 * Notes on disk that a record is about to be published: not yet that it was. It is this checkout's alone, as
 * the position is that it will become.
 */
function beginPublication(place: Here, file: RecordFile): void {
  const directory = directoryOf(place);
  makeDirectory(directory, 0o700);
  createExclusive(join(directory, file.id), file.bytes, { mode: 0o600, durable: true });
}

/** The publication has its end: the note goes. One that stays is settled by the next run, and changes nothing then. */
export function endPublication(place: Here, id: string): void {
  try {
    removeFile(join(directoryOf(place), id));
  } catch {
    // The next run settles it.
  }
}

/** What a publication's commit says. */
function messageOf({ id, record }: Pick<SignedRecord, "id" | "record">): string {
  return `majordomus continuity: ${id.slice(0, 16)} from ${record.device.label}\n`;
}

/**
 * Brings a record into the store: noted as unfinished before, and no more where it is refused and the
 * reference did not move.
 *
 * @throws MajordomusError as {@link addRecords}; nothing was published then unless the store has the record.
 */
export function addPublication(place: ContinuityPlace, signed: SignedRecord, bytes: Buffer): void {
  const { id } = signed;
  try {
    beginPublication(place, { id, bytes });
    addRecords(place, [{ id, bytes }], messageOf(signed));
  } catch (error) {
    abandon(place, id);
    throw error;
  }
}

function abandon(place: ContinuityPlace, id: string): void {
  try {
    if (readStore(place.store).records.has(id)) return;
  } catch {
    // Nobody can tell now whether the reference moved; the next run can.
    return;
  }
  endPublication(place, id);
}

/** Whether the record came into the store only now. */
function settle(place: ContinuityPlace, id: string, lock: HeldLock): boolean {
  const bytes = readRegularFile(join(directoryOf(place), id), { maximumBytes: LIMITS.file });
  if (!bytes.ok) return false;
  const file = { id, bytes: bytes.value };
  const admission = admitRecord(recordPath(id), { state: "read", bytes: file.bytes }, place.repositoryId);
  // One of another identity of this repository waits until that is its identity again.
  if (!admission.ok) return false;
  const { signed } = admission;
  const branch = signed.record.source.branch ?? DETACHED;
  const { records } = readStore(place.store);
  const position = recallState(place).branches.get(branch)?.record;
  const parent = position !== undefined && records.has(position) ? position : undefined;
  const stood = records.has(id);
  // What the branch's next record would go on from, this one goes on from: in its place it forks nothing.
  const next = parent === signed.record.parent;
  if (!stood && !next && position !== id) {
    endPublication(place, id);
    return false;
  }
  addRecords(place, [file], messageOf(signed));
  rememberPublished(place, file);
  if (next) takePublishedPosition(place, branch, id, lock);
  endPublication(place, id);
  return !stood;
}

/**
 * Settles the publications of this checkout that were cut short, before anything goes on from its branches. One
 * that the store has, or that its branch can still go on with, becomes the branch's position; one from which
 * neither can be said was never published, and is dropped.
 *
 * @returns the ids of those that came into the store only now.
 * @throws MajordomusError as {@link addRecords}.
 */
export function settlePublications(place: ContinuityPlace, lock: HeldLock): string[] {
  return listUnfinished(place).filter((id) => settle(place, id, lock));
}
