import { isAbsolute, join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { canonicalPath } from "../fs/contain.ts";
import { copiesElsewhere, ownCopies } from "../journal/record-copies.ts";
import type { RecordKind } from "../journal/record-copies.ts";
import { originalOf } from "../journal/whereabouts.ts";
import { resolve, tierOf } from "../labels/resolution.ts";
import type { Here, MatchTier } from "../labels/resolution.ts";
import type { SkippedFile } from "../records/record-file.ts";
import { newestFirst, newestRecords, readCandidate } from "../records/work-record-store.ts";
import type { WorkRecordCandidate } from "../records/work-record-store.ts";
import { ledgerRanks } from "./read.ts";

/** Every handover or checkpoint that may be weighed here: this store's, and copies that other worktrees left. */
export interface WorkRecords {
  kind: RecordKind;
  /** Newest first; records of one second are not ordered yet: see {@link inLedgerOrder}. */
  candidates: WorkRecordCandidate[];
  /** Files in a record's place that are none. */
  skipped: SkippedFile[];
}

export interface ResolvedRecord {
  candidate: WorkRecordCandidate;
  tier: MatchTier;
}

/** Of another worktree at this very path, which is gone: no path of a worktree begins like this. */
const ELSEWHERE = "worktree:";
/** A handover that came from another machine names that machine where a path would stand. */
export const CARRIED = "continuity:";

type Place = Pick<
  Checkout,
  "layout" | "common" | "root" | "repository" | "branch" | "localRepositoryId" | "worktreeIdentity"
>;

function hereOf(checkout: Place): Here {
  return { repositoryId: checkout.localRepositoryId, worktree: checkout.root, branch: checkout.branch };
}

/** One directory reached by two spellings is one; each spelling is looked at once. */
function oneSpelling(): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const spelling = isAbsolute(path) ? canonicalOrSame(path) : path;
    known.set(path, spelling);
    return spelling;
  };
}

function canonicalOrSame(path: string): string {
  try {
    return canonicalPath(path);
  } catch {
    return path;
  }
}

/** Whether a path is that of the worktree which this one was copied from; each path is looked at once. */
function isOriginalOf(checkout: Place): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const before = known.get(path) ?? originalOf(checkout, path) !== undefined;
    known.set(path, before);
    return before;
  };
}

/**
 * A record whose copy this worktree keeps is its own, also when the directory has moved since (promise 13); in a
 * copied repository it stays the original worktree's.
 */
function claimed(
  candidate: WorkRecordCandidate,
  checkout: Place,
  own: ReadonlySet<string>,
  spell: (path: string) => string,
  isOriginal: (path: string) => boolean,
): WorkRecordCandidate {
  if (own.has(candidate.name) && !candidate.worktree.startsWith(CARRIED)) {
    const noted = spell(candidate.worktree);
    const worktree = noted !== checkout.root && isOriginal(noted) ? noted : checkout.root;
    return candidate.as({ worktree, repositoryId: checkout.localRepositoryId });
  }
  const [worktree, repositoryId] = [spell(candidate.worktree), spell(candidate.repositoryId)];
  const same = worktree === candidate.worktree && repositoryId === candidate.repositoryId;
  return same ? candidate : candidate.as({ worktree, repositoryId });
}

/** A copy that another worktree left: of this repository, and never of this worktree. */
function foreign(candidate: WorkRecordCandidate, checkout: Place, identity: string): WorkRecordCandidate {
  const worktree = candidate.worktree === checkout.root ? `${ELSEWHERE}${identity}` : candidate.worktree;
  return candidate.as({ worktree, repositoryId: checkout.localRepositoryId });
}

/** Reads every record of a kind that this checkout may resolve. */
export function readWorkRecords(checkout: Place, kind: RecordKind): WorkRecords {
  const memory = join(checkout.common.cache, `${kind}-${checkout.worktreeIdentity}.json`);
  const store = newestRecords(checkout.layout[kind], () => -1, memory);
  const own = ownCopies(checkout, kind);
  const spell = oneSpelling();
  const isOriginal = isOriginalOf(checkout);
  const candidates = store.candidates.map((candidate) =>
    claimed(candidate, checkout, own, spell, isOriginal),
  );
  const known = new Set(candidates.map(({ name }) => name));
  const left = checkout.branch === "DETACHED" ? [] : copiesElsewhere(checkout, kind, checkout.branch);
  for (const { identity, path, name } of left) {
    if (known.has(name)) continue;
    const candidate = readCandidate(path, name);
    if (candidate.ok) candidates.push(foreign(candidate.value, checkout, identity));
    else store.skipped.push({ path, reason: candidate.error });
  }
  return {
    kind,
    candidates: candidates.length === known.size ? candidates : newestFirst(candidates),
    skipped: store.skipped,
  };
}

/**
 * Records newest first, those of one second in the order of the ledger. A look at the whole ledger is taken
 * only where two share a second.
 */
export function inLedgerOrder(
  checkout: Pick<Place, "layout">,
  candidates: readonly WorkRecordCandidate[],
): WorkRecordCandidate[] {
  const seconds = new Map<string, number>();
  for (const { createdAt } of candidates) seconds.set(createdAt, (seconds.get(createdAt) ?? 0) + 1);
  const tied = candidates.filter(({ createdAt }) => (seconds.get(createdAt) ?? 0) > 1);
  if (tied.length === 0) return newestFirst(candidates);
  const ranks = ledgerRanks(
    checkout.layout.ledger,
    tied.map(({ name }) => name),
  );
  return newestFirst(candidates.map((candidate) => candidate.as({ rank: ranks.get(candidate.name) ?? -1 })));
}

/**
 * The record that this checkout goes on from (records.md 7.1), or undefined: absence is a valid answer.
 *
 * @param now milliseconds since the epoch; a record of a later time is never the newest.
 * @param task only records of this task count, when given.
 */
export function resolveRecord(
  checkout: Place,
  records: WorkRecords,
  now: number,
  task?: string,
): ResolvedRecord | undefined {
  const here = hereOf(checkout);
  const first = resolve(records.candidates, here, task, now);
  if (first === undefined) return undefined;
  const tied = records.candidates.filter(({ createdAt }) => createdAt === first.record.createdAt);
  const found = tied.length === 1 ? first : resolve(inLedgerOrder(checkout, tied), here, task, now);
  return found && { candidate: found.record, tier: found.tier };
}

/** In which tier a record would resolve here; undefined when it is of another branch or repository. */
export function tierHere(checkout: Place, candidate: WorkRecordCandidate): MatchTier | undefined {
  return tierOf(candidate, hereOf(checkout));
}
