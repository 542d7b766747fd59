import { join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import type { ListedEntry } from "../fs/read-head.ts";
import { CapsuleDocument } from "./document.ts";
import { capsulesDirectory, listCapsules, readCapsule, readForJudging } from "./files.ts";
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
function isBetter(candidate: Candidate, name: string, best: Standing): boolean {
  if (candidate.placeholder !== best.candidate.placeholder) return best.candidate.placeholder;
  if (candidate.created !== best.candidate.created) return candidate.created > best.candidate.created;
  return compareBytewise(name, best.name) < 0;
}

/** The best capsule so far, and where its rejection would stand. */
interface Standing {
  candidate: Candidate;
  name: string;
  place: number;
}

const DEMOTED = "captured neither a request nor a claim";

function lost(name: string, { placeholder }: Candidate): Rejection {
  return placeholder
    ? { name, reason: "placeholder-demoted", detail: DEMOTED }
    : { name, reason: "not-newest" };
}

/** One file: a capsule that could be resumed, or the reason why not. */
function judgeEntry(directory: string, entry: ListedEntry, now: number): Candidate | Rejection {
  const { name } = entry;
  const document = readForJudging(directory, entry);
  if (!document.ok) return { name, reason: document.error };
  const verdict = judgeCapsule(document.value, now);
  if (verdict.valid) return verdict.candidate;
  const { reason, detail } = verdict;
  return detail === undefined ? { name, reason } : { name, reason, detail };
}

/**
 * Selects the capsule that a clear would resume, and says of every other file why it is not that one
 * (capsules.md 3, decisions.md 6): the newest that is no placeholder, else the newest placeholder. Reads, and
 * writes nothing; never throws.
 *
 * @param memoryRoot undefined where it cannot be told.
 * @param now milliseconds since the epoch.
 */
export function selectCapsule(memoryRoot: string | undefined, now: number): Selection {
  if (memoryRoot === undefined) return { capsule: undefined, rejected: [], unavailable: "bad-memory-root" };
  const directory = capsulesDirectory(memoryRoot);
  const entries = listCapsules(directory);
  if (!entries.ok) return { capsule: undefined, rejected: [], unavailable: entries.error };
  const rejected: Rejection[] = [];
  let best: Standing | undefined;
  for (const entry of entries.value) {
    const judged = judgeEntry(directory, entry, now);
    if ("reason" in judged) {
      rejected.push(judged);
      continue;
    }
    // Each is entered as one that lost, and the one that did not is taken out at the end.
    const { name } = entry;
    const place = rejected.push(lost(name, judged)) - 1;
    if (best === undefined || isBetter(judged, name, best)) best = { candidate: judged, name, place };
  }
  if (best === undefined) return { capsule: undefined, rejected, unavailable: "all-candidates-rejected" };
  rejected.splice(best.place, 1);
  const { candidate, name } = best;
  return { capsule: { ...candidate, path: join(directory, name), name }, rejected };
}

/** A selection, and the selected capsule as it was read whole. */
export interface ReadSelection extends Selection {
  document: CapsuleDocument | undefined;
}

/** A file may go between the two looks; one that goes every time is told of, not looked for without end. */
const LOOKS = 3;

/** Selects a capsule and reads it whole. One that is gone by then was not selected, and stays in the ledger. */
export function selectAndRead(memoryRoot: string | undefined, now: number): ReadSelection {
  for (let look = 1; ; look += 1) {
    const selection = selectCapsule(memoryRoot, now);
    const { capsule, rejected } = selection;
    if (capsule === undefined) return { ...selection, document: undefined };
    const bytes = readCapsule(capsule.path);
    const document = bytes.ok ? CapsuleDocument.parse(bytes.value) : undefined;
    if (document !== undefined) return { ...selection, document };
    if (look < LOOKS) continue;
    const { name } = capsule;
    const lostAgain = { name, reason: bytes.ok ? ("no-frontmatter" as const) : bytes.error };
    return {
      capsule: undefined,
      rejected: inOrder([...rejected, lostAgain]),
      unavailable: "all-candidates-rejected",
      document: undefined,
    };
  }
}

/** A ledger in the order of names. */
export function inOrder(rejected: readonly Rejection[]): Rejection[] {
  return rejected.toSorted((one, other) => compareBytewise(one.name, other.name));
}
