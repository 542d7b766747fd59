import { join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
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
  const found: FoundCapsule[] = [];
  const rejected: Rejection[] = [];
  for (const entry of entries.value) {
    const { name } = entry;
    const document = readForJudging(directory, entry);
    if (!document.ok) {
      rejected.push({ name, reason: document.error });
      continue;
    }
    const verdict = judgeCapsule(document.value, now);
    if (verdict.valid) found.push({ ...verdict.candidate, path: join(directory, name), name });
    else {
      const { reason, detail } = verdict;
      rejected.push({ name, reason, ...(detail === undefined ? {} : { detail }) });
    }
  }
  const capsule = chooseNewest(found);
  for (const other of found) if (other !== capsule) rejected.push(lost(other));
  rejected.sort((a, b) => compareBytewise(a.name, b.name));
  if (capsule !== undefined) return { capsule, rejected };
  return { capsule, rejected, unavailable: "all-candidates-rejected" };
}
