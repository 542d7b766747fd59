import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Patience } from "../base/patience.ts";
import type { CommonPaths } from "../checkout/common.ts";
import type { HeldLock } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readText, stampOf } from "../fs/read.ts";
import { scanMatching } from "../fs/scan.ts";
import { createExclusive, makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";
import { spoolIsEmpty, spoolNumbers, spoolPath } from "./spool-file.ts";

/** An append that could not wait for its lock: the final bytes, their target, and its size at that time. */
const SpoolEntry = z.object({
  schema: z.literal("majordomus-spool/v1"),
  target: z.string(),
  /** The lock that guards the target. */
  lock: z.string(),
  lines: z.array(z.string()),
  size: z.int(),
});
type SpoolEntry = z.infer<typeof SpoolEntry>;

const MAXIMUM_BYTES = 8 * 1024 * 1024;

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
    .flatMap((number) => readEntry(spoolPath(common, number))?.lines ?? []);
}

/** How the bytes get into their target while its lock is held; given by the store that owns it. */
export type AppendHeld = (target: string, lines: readonly string[], lock: HeldLock) => void;

export interface Drained {
  /** Entries whose bytes stand in their target now. */
  applied: number;
  /** Entries that must wait further. */
  left: number;
  /** Entries of worktrees that are gone, or that cannot be read: kept under `spool/unusable`. */
  unusable: number;
}

/** An entry that waits, and where it stands. */
interface Waiting {
  path: string;
  entry: SpoolEntry;
}

/**
 * Appends what waits, in order, exactly once: an entry whose bytes already stand after its noted offset
 * was applied by a process that died before it could remove the entry (decisions.md 1.5). What cannot be
 * applied now keeps its place before all that waits for the same target; other targets do not wait for it.
 *
 * @throws LockTimeout when the spool itself is being drained elsewhere.
 */
export function drainSpool(common: CommonPaths, patience: Patience, append: AppendHeld): Drained {
  const drained: Drained = { applied: 0, left: 0, unusable: 0 };
  if (spoolIsEmpty(common)) return drained;
  makeDirectory(common.locks, 0o700);
  withPatientLock(join(common.locks, "spool"), patience, () => {
    const { waiting, unusable } = sortOut(common);
    drained.unusable = unusable;
    const blocked = new Set<string>();
    for (const [index, { path, entry }] of waiting.entries()) {
      if (blocked.has(entry.target)) continue;
      try {
        withPatientLock(entry.lock, patience, (lock) => {
          const end = applyEntry(entry, append, lock);
          passOver(waiting.slice(index + 1), entry, end);
        });
        removeFile(path);
        drained.applied += 1;
      } catch {
        blocked.add(entry.target);
      }
    }
    drained.left = waiting.length - drained.applied;
  });
  return drained;
}

function sortOut(common: CommonPaths): { waiting: Waiting[]; unusable: number } {
  const waiting: Waiting[] = [];
  let unusable = 0;
  for (const number of spoolNumbers(common).toSorted((a, b) => a - b)) {
    const path = spoolPath(common, number);
    const entry = readEntry(path);
    if (entry !== undefined && stampOf(dirname(entry.target)) !== undefined) {
      waiting.push({ path, entry });
    } else {
      keepUnusable(common, path, number);
      unusable += 1;
    }
  }
  return { waiting, unusable };
}

/** @returns the offset in the target behind which nothing of this entry stands any more. */
function applyEntry(entry: SpoolEntry, append: AppendHeld, lock: HeldLock): number {
  const ends = entry.lines.map((line) => endOfLine(entry.target, line, entry.size));
  const missing = entry.lines.filter((_, index) => ends[index] === undefined);
  if (missing.length === 0) return Math.max(...ends.map((end) => end ?? 0));
  append(entry.target, missing, lock);
  return stampOf(entry.target)?.size ?? 0;
}

/** The same event twice in one second makes equal lines: the later entry must not take the earlier's for its own. */
function passOver(later: readonly Waiting[], applied: SpoolEntry, end: number): void {
  for (const { path, entry } of later) {
    const isAlike =
      entry.target === applied.target && entry.lines.some((line) => applied.lines.includes(line));
    if (!isAlike || entry.size >= end) continue;
    entry.size = end;
    writeAtomic(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}

function readEntry(path: string): SpoolEntry | undefined {
  const text = readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return undefined;
  try {
    const parsed = SpoolEntry.safeParse(JSON.parse(text.value));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Where the first such line from `size` on ends; undefined where there is none. */
function endOfLine(target: string, line: string, size: number): number | undefined {
  // A target that shrank was rotated: then its whole rest is looked at.
  const from = (stampOf(target)?.size ?? 0) < size ? 0 : size;
  let found: number | undefined;
  scanMatching(target, line, from, (buffer, start, end, offset) => {
    if (buffer.toString("utf8", start, end) === line) found ??= offset + end - start + 1;
  });
  return found;
}

function keepUnusable(common: CommonPaths, path: string, number: number): void {
  const directory = join(common.spool, "unusable");
  makeDirectory(directory, 0o700);
  const text = readText(path, { maximumBytes: MAXIMUM_BYTES });
  let attempt = 0;
  while (text.ok && !createExclusive(join(directory, `${number}-${attempt}.json`), text.value)) attempt += 1;
  removeFile(path);
}
