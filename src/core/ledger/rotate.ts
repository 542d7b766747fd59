import { basename, dirname, join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { compactTimestamp } from "../base/time.ts";
import { LockLost, withLock } from "../fs/lock.ts";
import type { HeldLock } from "../fs/lock.ts";
import { readRegularFile, stampOf } from "../fs/read.ts";
import { scanLines } from "../fs/scan.ts";
import { createExclusive, writeAtomic } from "../fs/write.ts";
import { ledgerLock, tornNames } from "./append.ts";
import type { LedgerTarget } from "./append.ts";
import { MAXIMUM_LEDGER_BYTES, archiveName, markRotation, settleRotation } from "./files.ts";
import { composeLine } from "./line.ts";
import type { Envelope } from "./line.ts";
import { settlePending } from "./settle.ts";

/** What a rotation did. `archive` is absent when there was nothing to move. */
export interface Rotation {
  /** Lines moved, and lines kept. */
  archived: number;
  kept: number;
  /** The archive, absolute. */
  archive?: string;
  /** Bytes of a torn last line that were put aside, and where. */
  torn?: { bytes: number; keptAt: string };
}

export interface RotationOrder {
  /** How many of the newest lines stay (`ledger.retention_max_lines`). */
  keep: number;
  waitMilliseconds: number;
  /** Who says so: the envelope of the `ledger.rotated` line. */
  envelope: Omit<Envelope, "event">;
}

/**
 * Moves all but the newest lines to `ledger.<utc>.jsonl.archived` beside the ledger and appends
 * `ledger.rotated` (records.md 4). Killed at any point, every line stands in exactly one file that readers
 * read, once the next writer has settled the marker.
 *
 * @throws LockTimeout, LockLost, and whatever the disk refuses; the ledger is then as it was.
 */
export function rotateLedger(target: LedgerTarget, order: RotationOrder): Rotation {
  return withLock(ledgerLock(target), { waitMilliseconds: order.waitMilliseconds }, (lock) => {
    settlePending(target.ledger, lock);
    return rotateHeld(target, order, lock);
  });
}

function rotateHeld(target: LedgerTarget, order: RotationOrder, lock: HeldLock): Rotation {
  const offsets: number[] = [];
  const { consumed } = scanLines(target.ledger, 0, (_buffer, _start, _end, offset) => offsets.push(offset));
  const archived = offsets.length - order.keep;
  const cut = offsets[archived] ?? consumed;
  if (archived <= 0) return { archived: 0, kept: offsets.length };

  const content = readWhole(target.ledger);
  const torn = keepTornTail(target, content.subarray(consumed));
  lock.assertHeld();
  try {
    const archive = writeArchive(target, content.subarray(0, cut));
    const rotated = composeLine(
      { ...order.envelope, event: "ledger.rotated" },
      { archived, kept: order.keep, archive: basename(archive) },
    );
    lock.assertHeld();
    writeAtomic(
      target.ledger,
      Buffer.concat([content.subarray(cut, consumed), Buffer.from(`${rotated}\n`)]),
      {
        durable: target.durable ?? false,
      },
    );
    settleRotation(target.ledger);
    return { archived, kept: order.keep, archive, ...(torn === undefined ? {} : { torn }) };
  } catch (error) {
    // Who lost the lock may not write: the new holder settles what was left.
    if (!(error instanceof LockLost)) settleRotation(target.ledger);
    throw error;
  }
}

/** Writes the archive under the first free name, after the marker that says what it repeats. */
function writeArchive(target: LedgerTarget, head: Buffer): string {
  const directory = dirname(target.ledger);
  const compact = compactTimestamp(target.clock.now());
  for (let attempt = 1; ; attempt += 1) {
    const name = archiveName(compact, attempt);
    const path = join(directory, name);
    if (stampOf(path) !== undefined) continue;
    markRotation(target.ledger, name, head.length);
    if (createExclusive(path, head, { durable: target.durable ?? false })) return path;
  }
}

function keepTornTail(target: LedgerTarget, tail: Buffer): Rotation["torn"] {
  if (tail.length === 0) return undefined;
  const nameFor = tornNames(target);
  for (let attempt = 1; ; attempt += 1) {
    const keptAt = nameFor(attempt);
    if (createExclusive(keptAt, tail)) return { bytes: tail.length, keptAt };
  }
}

function readWhole(ledger: string): Buffer {
  const content = readRegularFile(ledger, { maximumBytes: MAXIMUM_LEDGER_BYTES });
  if (content.ok) return content.value;
  throw new MajordomusError({
    code: "ledger.unreadable",
    exit: EXIT.internal,
    subject: ledger,
    message: content.error.message,
  });
}
