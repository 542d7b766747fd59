import { join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import type { ListedEntry } from "../fs/read-head.ts";
import { capsulesDirectory, listCapsules, readForJudging } from "./files.ts";
import { judgeCapsule } from "./judge.ts";
import type { Candidate } from "./judge.ts";
import type { Rejection, UnavailableReason } from "./reasons.ts";

/** A capsule on disk that could be resumed. */
export interface FoundCapsule extends Candidate {
  /** Absolute. */
  path: string;
  name: string;
}

/** What a selection came to: one capsule or none, and every other file with its reason. */
export interface Selection {
  capsule: FoundCapsule | undefined;
  /** In the order of names. */
  rejected: Rejection[];
  /** Set only when there is no capsule. */
  unavailable?: UnavailableReason;
}

/** Newest first; of equal stamps the byte-smallest name. */
function isBetter(candidate: FoundCapsule, best: FoundCapsule): boolean {
  if (candidate.placeholder !== best.placeholder) return best.placeholder;
  if (candidate.created !== best.created) return candidate.created > best.created;
  return compareBytewise(candidate.name, best.name) < 0;
}

/** Chooses among valid capsules: the newest that is no placeholder, else the newest placeholder. */
export function chooseNewest(found: readonly FoundCapsule[]): FoundCapsule | undefined {
  let best: FoundCapsule | undefined;
  for (const candidate of found) if (best === undefined || isBetter(candidate, best)) best = candidate;
  return best;
}

const DEMOTED = "captured neither a request nor a claim";

function lost({ name, placeholder }: FoundCapsule): Rejection {
  return placeholder
    ? { name, reason: "placeholder-demoted", detail: DEMOTED }
    : { name, reason: "not-newest" };
}

/** One file: a capsule that could be resumed, or the reason why not. */
function judgeEntry(directory: string, entry: ListedEntry, now: number): FoundCapsule | Rejection {
  const { name } = entry;
  const document = readForJudging(directory, entry);
  if (!document.ok) return { name, reason: document.error };
  const verdict = judgeCapsule(document.value, now);
  if (verdict.valid) return { ...verdict.candidate, path: join(directory, name), name };
  const { reason, detail } = verdict;
  return detail === undefined ? { name, reason } : { name, reason, detail };
}

/**
 * Selects the capsule that a clear would resume, and says of every other file why it is not that one
 * (capsules.md 3, decisions.md 6). Reads, and writes nothing; never throws.
 *
 * @param memoryRoot undefined where it cannot be told.
 * @param now milliseconds since the epoch.
 */
export function selectCapsule(memoryRoot: string | undefined, now: number): Selection {
  if (memoryRoot === undefined) return { capsule: undefined, rejected: [], unavailable: "bad-memory-root" };
  const directory = capsulesDirectory(memoryRoot);
  const entries = listCapsules(directory);
  if (!entries.ok) return { capsule: undefined, rejected: [], unavailable: entries.error };
  const judged = entries.value.map((entry) => judgeEntry(directory, entry, now));
  const capsule = chooseNewest(judged.filter((one) => "id" in one));
  const rejected = judged.flatMap((one) => ("reason" in one ? [one] : one === capsule ? [] : [lost(one)]));
  if (capsule !== undefined) return { capsule, rejected };
  return { capsule, rejected, unavailable: "all-candidates-rejected" };
}
