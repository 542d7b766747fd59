import { dirname, join } from "node:path";
import { sha256Hex } from "../base/id.ts";
import { VERSION } from "../base/version.ts";
import type { CommonPaths } from "../checkout/common.ts";
import { appendLines } from "../fs/append.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import type { AdmissionCode } from "./admission-codes.ts";
import type { RecordSummary } from "./summary.ts";

/** To be raised when the rules of admission change, so that everything is judged again. */
const RULES = 1;
const MAXIMUM_BYTES = 64 * 1024 * 1024;
const WASTE = 2_000;

/** What a file of the store was judged to be, for good: its bytes cannot change under their object's name. */
export type Judgement =
  | { path: string; blob: string; summary: RecordSummary }
  | { path: string; blob: string; code: AdmissionCode; message: string };

/** Where judgements of this version are kept, for one repository identity. */
export function admissionCachePath(common: Pick<CommonPaths, "cache">, repositoryId: string): string {
  const key = sha256Hex(`${VERSION}\n${RULES}\n${repositoryId}`).slice(0, 16);
  return join(common.cache, `continuity-${key}.jsonl`);
}

/** A judgement is of a path and a blob: the same bytes under another name are another file. */
export function judgementKey({ path, blob }: Pick<Judgement, "path" | "blob">): string {
  return `${blob} ${path}`;
}

/**
 * The judgements that are kept, by key. A cache like any other: what cannot be read in it is judged again.
 *
 * @param wanted which of them are of use.
 */
export function recallJudgements(
  cache: string,
  wanted: ReadonlySet<string>,
): { known: Map<string, Judgement>; lines: number } {
  const known = new Map<string, Judgement>();
  const text = readText(cache, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return { known, lines: 0 };
  const lines = text.value.split("\n");
  for (const line of lines) {
    try {
      const judgement = JSON.parse(line) as Judgement;
      const key = judgementKey(judgement);
      if (wanted.has(key) && ("summary" in judgement || "code" in judgement)) known.set(key, judgement);
    } catch {
      // A torn line, or one that somebody has edited.
    }
  }
  return { known, lines: lines.length };
}

/** Keeps judgements for the next time; the file is written anew when most of it is of no use any more. */
export function keepJudgements(
  cache: string,
  fresh: readonly Judgement[],
  known: ReadonlyMap<string, Judgement>,
  lines: number,
): void {
  if (fresh.length === 0) return;
  try {
    makeDirectory(dirname(cache), 0o700);
    if (lines > known.size + WASTE) {
      const all = [...known.values(), ...fresh].map((judgement) => `${JSON.stringify(judgement)}\n`);
      writeAtomic(cache, all.join(""), { mode: 0o600 });
    } else {
      appendLines(
        cache,
        fresh.map((judgement) => JSON.stringify(judgement)),
        { mode: 0o600 },
      );
    }
  } catch {
    // Everything is judged again the next time.
  }
}
