import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Patience } from "../base/patience.ts";
import type { CommonPaths } from "../checkout/common.ts";
import type { HeldLock } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readText, stampOf } from "../fs/read.ts";
import { scanMatching } from "../fs/scan.ts";
import { createExclusive, makeDirectory, removeFile } from "../fs/write.ts";
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

/**
 * Appends what waits, in order, exactly once: an entry whose bytes already stand after its noted offset
 * was applied by a process that died before it could remove the entry (decisions.md 1.5).
 *
 * @throws LockTimeout when the spool itself is being drained elsewhere.
 */
export function drainSpool(common: CommonPaths, patience: Patience, append: AppendHeld): Drained {
  const drained: Drained = { applied: 0, left: 0, unusable: 0 };
  if (spoolIsEmpty(common)) return drained;
  makeDirectory(common.locks, 0o700);
  withPatientLock(join(common.locks, "spool"), patience, () => {
    const waiting = spoolNumbers(common).toSorted((a, b) => a - b);
    for (const [index, number] of waiting.entries()) {
      const path = spoolPath(common, number);
      const entry = readEntry(path);
      if (entry === undefined || stampOf(dirname(entry.target)) === undefined) {
        keepUnusable(common, path, number);
        drained.unusable += 1;
        continue;
      }
      try {
        withPatientLock(entry.lock, patience, (lock) => {
          const missing = entry.lines.filter((line) => !stands(entry.target, line, entry.size));
          if (missing.length > 0) append(entry.target, missing, lock);
        });
      } catch {
        // What cannot be applied now keeps its place, and everything behind it keeps its order.
        drained.left = waiting.length - index;
        return;
      }
      removeFile(path);
      drained.applied += 1;
    }
  });
  return drained;
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

function stands(target: string, line: string, size: number): boolean {
  // A target that shrank was rotated: then its whole rest is looked at.
  const from = (stampOf(target)?.size ?? 0) < size ? 0 : size;
  let found = false;
  scanMatching(target, line, from, (buffer, start, end) => {
    if (buffer.toString("utf8", start, end) === line) found = true;
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
