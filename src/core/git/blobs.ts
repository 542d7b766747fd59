import { EXIT, MajordomusError } from "../base/error.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";

/** A blob's content; `too_large` where it was not read for its size, `missing` where there is no such blob. */
export type Blob =
  | { state: "read"; bytes: Buffer }
  | { state: "too_large"; size: number }
  | { state: "missing" };

/** Ids that one process is asked for: its whole answer lies in memory at once. */
const BATCH = 2_000;
const NEWLINE = 0x0a;

function ask(repository: Repository, option: string, ids: readonly string[]): Buffer | undefined {
  const command = ["cat-file", option];
  const outcome = runGit(repository, command, {
    input: `${ids.join("\n")}\n`,
    timeoutMilliseconds: 60_000,
  });
  if (outcome.status === 0) return outcome.stdout;
  if (outcome.status === null && !outcome.timedOut) return undefined;
  throw new MajordomusError({
    code: "git.failed",
    exit: EXIT.internal,
    subject: "git cat-file",
    message: reasonOfFailure(command, outcome),
  });
}

function lineAt(output: Buffer, start: number): { fields: string[]; end: number } {
  const found = output.indexOf(NEWLINE, start);
  const end = found < 0 ? output.length : found;
  return { fields: output.toString("latin1", start, end).split(" "), end };
}

/** Which of these are blobs of a size that may be read; the others are given away as what they are. */
function sized(
  repository: Repository,
  ids: readonly string[],
  maximumBytes: number,
  give: (id: string, blob: Blob) => void,
): string[] {
  const output = ask(repository, "--batch-check", ids) ?? Buffer.alloc(0);
  const small: string[] = [];
  let at = 0;
  for (const id of ids) {
    const { fields, end } = lineAt(output, at);
    at = end + 1;
    const size = Number(fields[2]);
    if (fields[1] !== "blob") give(id, { state: "missing" });
    else if (size > maximumBytes) give(id, { state: "too_large", size });
    else small.push(id);
  }
  return small;
}

function readBatch(
  repository: Repository,
  ids: readonly string[],
  maximumBytes: number,
  give: (id: string, blob: Blob) => void,
): void {
  const output = ask(repository, "--batch", ids);
  if (output === undefined) {
    // More than fits: one of them is huge. Sizes are asked first, then halves of what is left.
    const small = sized(repository, ids, maximumBytes, give);
    const half = Math.ceil(small.length / 2);
    if (small.length === ids.length && half === small.length) return give(ids[0] ?? "", { state: "missing" });
    for (const part of [small.slice(0, half), small.slice(half)]) {
      if (part.length > 0) readBatch(repository, part, maximumBytes, give);
    }
    return;
  }
  let at = 0;
  for (const id of ids) {
    const { fields, end } = lineAt(output, at);
    at = end + 1;
    if (fields.length < 3) {
      give(id, { state: "missing" });
      continue;
    }
    const size = Number(fields[2]);
    const bytes = output.subarray(at, at + size);
    at += size + 1;
    if (fields[1] !== "blob") give(id, { state: "missing" });
    else give(id, size > maximumBytes ? { state: "too_large", size } : { state: "read", bytes });
  }
}

/**
 * Reads many blobs by id, a process for every two thousand, in the given order. What is larger than
 * `maximumBytes` is named and not kept.
 *
 * @param ids full object names.
 * @throws MajordomusError 13 when git fails.
 */
export function readBlobs(
  repository: Repository,
  ids: readonly string[],
  maximumBytes: number,
  give: (id: string, blob: Blob) => void,
): void {
  for (let start = 0; start < ids.length; start += BATCH) {
    readBatch(repository, ids.slice(start, start + BATCH), maximumBytes, give);
  }
}
