import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Patience } from "../base/patience.ts";
import { randomHex } from "../base/random.ts";
import type { CommonPaths } from "../checkout/common.ts";
import type { HeldLock } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readText, stampOf, statEntry } from "../fs/read.ts";
import { syncDirectory } from "../fs/temporary.ts";
import { createExclusive, makeDirectory, moveFile, removeFile } from "../fs/write.ts";
import { spoolIsEmpty, spoolNumbers, spoolPath } from "./spool-file.ts";

/** An append that could not wait for its lock: the final bytes, their target, and its size at that time. */
const SpoolEntry = z.object({
  schema: z.literal("majordomus-spool/v1"),
  /** Never another entry's: the same event twice in one second makes equal lines. */
  id: z.string(),
  /** The directory that it waits in: a copy of the repository holds it too, and is not the one to append it. */
  spool: z.string(),
  target: z.string(),
  /** The lock that guards the target. */
  lock: z.string(),
  lines: z.array(z.string()),
  size: z.int(),
});
type SpoolEntry = z.infer<typeof SpoolEntry>;

const MAXIMUM_BYTES = 8 * 1024 * 1024;
const BATCH_CHARACTERS = 1024 * 1024;

/** Puts lines aside for a later event or command; their order is the number that exclusive create gives. */
export function spoolLines(
  common: CommonPaths,
  target: string,
  lock: string,
  lines: readonly string[],
): void {
  makeDirectory(common.spool, 0o700);
  const entry: SpoolEntry = {
    schema: "majordomus-spool/v1",
    id: randomHex(12),
    spool: common.spool,
    target,
    lock,
    lines: [...lines],
    size: stampOf(target)?.size ?? 0,
  };
  const data = `${JSON.stringify(entry)}\n`;
  let number = Math.max(0, ...spoolNumbers(common)) + 1;
  while (!createExclusive(spoolPath(common, number), data, { mode: 0o600 })) number += 1;
}

/** Every line that waits, in its order. */
export function spooledLines(common: CommonPaths): string[] {
  return spoolNumbers(common)
    .toSorted((a, b) => a - b)
    .flatMap((number) => {
      const entry = readEntry(spoolPath(common, number));
      return entry === undefined || entry === "unreadable" ? [] : entry.lines;
    });
}

/**
 * How the bytes get into their target, each entry's exactly once, while its lock is held; given by the store
 * that owns it. It calls `forget` for entries whose bytes stand.
 */
export type AppendOnce = (
  target: string,
  waiting: readonly Pick<SpoolEntry, "id" | "lines">[],
  lock: HeldLock,
  forget: (ids: ReadonlySet<string>) => void,
) => void;

export interface Drained {
  /** Entries whose bytes stand in their target now. */
  applied: number;
  /** Entries that must wait further: their target is locked, or the disk does not give them now. */
  left: number;
  /** Entries of worktrees that are gone, that cannot be read or are copies: kept under `spool/unusable`. */
  unusable: number;
}

/** An entry that waits, and where it stands. */
interface Waiting {
  path: string;
  entry: SpoolEntry;
}

/**
 * Appends what waits, in order, exactly once. What cannot be applied now keeps its place before all that
 * waits for the same target; other targets do not wait for it.
 *
 * @throws LockTimeout when the spool itself is being drained elsewhere.
 */
export function drainSpool(common: CommonPaths, patience: Patience, append: AppendOnce): Drained {
  const drained: Drained = { applied: 0, left: 0, unusable: 0 };
  if (spoolIsEmpty(common)) return drained;
  makeDirectory(common.locks, 0o700);
  withPatientLock(join(common.locks, "spool"), patience, () => {
    const { waiting, unreadable, unusable } = sortOut(common);
    const left = new Map(waiting.map(({ path, entry }) => [entry.id, path]));
    const blocked = new Set<string>();
    for (const { target, lock, entries } of batchesOf(waiting)) {
      if (blocked.has(target)) continue;
      try {
        withPatientLock(lock, patience, (held) => {
          const those = entries.filter(({ id }) => left.has(id));
          append(target, those, held, (ids) => forget(common, left, ids));
        });
      } catch {
        blocked.add(target);
      }
    }
    drained.unusable = unusable;
    drained.left = left.size + unreadable;
    drained.applied = waiting.length - left.size;
  });
  return drained;
}

/** Their lines stand: they may not come back, not after a power cut either. */
function forget(common: CommonPaths, left: Map<string, string>, ids: ReadonlySet<string>): void {
  for (const [id, path] of left) {
    if (!ids.has(id)) continue;
    removeFile(path);
    left.delete(id);
  }
  syncDirectory(common.spool);
}

/** Entries of one target that are appended together. */
interface Batch {
  target: string;
  lock: string;
  entries: SpoolEntry[];
  characters: number;
}

/** In their order; no batch is large, unless a single entry is. */
function batchesOf(waiting: readonly Waiting[]): Batch[] {
  const batches: Batch[] = [];
  const current = new Map<string, Batch>();
  for (const { entry } of waiting) {
    const { target, lock } = entry;
    const characters = entry.lines.reduce((sum, line) => sum + line.length, 0);
    let batch = current.get(target);
    if (batch?.lock !== lock || batch.characters + characters > BATCH_CHARACTERS) {
      batch = { target, lock, entries: [], characters: 0 };
      current.set(target, batch);
      batches.push(batch);
    }
    batch.entries.push(entry);
    batch.characters += characters;
  }
  return batches;
}

function sortOut(common: CommonPaths): { waiting: Waiting[]; unreadable: number; unusable: number } {
  const waiting: Waiting[] = [];
  const ids = new Set<string>();
  const counts = { unreadable: 0, unusable: 0 };
  for (const number of spoolNumbers(common).toSorted((a, b) => a - b)) {
    const path = spoolPath(common, number);
    const entry = readEntry(path);
    if (entry === "unreadable") {
      counts.unreadable += 1;
      continue;
    }
    const isOurs = entry !== undefined && entry.spool === common.spool && !ids.has(entry.id);
    if (isOurs && stampOf(dirname(entry.target)) !== undefined) {
      ids.add(entry.id);
      waiting.push({ path, entry });
    } else {
      keepUnusable(common, path, number);
      counts.unusable += 1;
    }
  }
  return { waiting, ...counts };
}

/** A disk that refuses once answers the second time: an entry is never put aside, or passed over, for that. */
function readEntry(path: string): SpoolEntry | "unreadable" | undefined {
  const first = readText(path, { maximumBytes: MAXIMUM_BYTES });
  const text = first.ok ? first : readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return text.error.kind === "unreadable" ? "unreadable" : undefined;
  try {
    const parsed = SpoolEntry.safeParse(JSON.parse(text.value));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Moved as it is, whatever it is: nothing has to be read for that, and nobody else moves anything while we drain. */
function keepUnusable(common: CommonPaths, path: string, number: number): void {
  const nameFor = (attempt: number): string => join(common.spool, "unusable", `${number}-${attempt}.json`);
  let attempt = 0;
  while (statEntry(nameFor(attempt)) !== undefined) attempt += 1;
  moveFile(path, nameFor(attempt));
}
