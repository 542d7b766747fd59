import { join, sep } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { parseTimestamp } from "../base/time.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import type { Candidate } from "../labels/resolution.ts";
import { isContextDocument } from "./context-document.ts";
import type { SkippedFile } from "./record-file.ts";
import { readRecordText } from "./record-file.ts";
import { RecordMemory, WEIGHED } from "./record-memory.ts";
import type { Verdict, Weighed } from "./record-memory.ts";
import { parseWorkRecord } from "./work-record.ts";
import type { WorkRecord } from "./work-record.ts";

/** What of a record may be seen differently from where it is read. */
type Seen = Partial<Pick<Candidate, "worktree" | "repositoryId" | "rank">>;

/** A record as resolution weighs it; without a task id when it was made outside any task. */
export class WorkRecordCandidate implements Candidate {
  readonly path: string;
  readonly name: string;
  readonly repositoryId: string;
  readonly worktree: string;
  readonly branch: string;
  readonly createdAt: string;
  readonly head: string;
  readonly rank: number;
  declare readonly taskId?: string;
  readonly #weighed: Weighed;
  #record: WorkRecord | undefined;

  constructor(path: string, name: string, found: Weighed | WorkRecord, seen: Seen = {}) {
    this.path = path;
    this.name = name;
    this.repositoryId = seen.repositoryId ?? found.repository_id;
    this.worktree = seen.worktree ?? found.worktree;
    this.branch = found.branch;
    this.createdAt = found.created_at;
    this.head = found.head;
    this.rank = seen.rank ?? -1;
    if (found.task_id !== "none") this.taskId = found.task_id;
    this.#weighed = found;
    this.#record = "body" in found ? found : undefined;
  }

  /** The whole record; one that is only remembered is read now. */
  get record(): WorkRecord {
    this.#record ??= readWhole(this.path, this.#weighed);
    return this.#record;
  }

  /** The same record, seen differently. */
  as(seen: Seen): WorkRecordCandidate {
    const { repositoryId, worktree, rank } = this;
    const found = this.#record ?? this.#weighed;
    return new WorkRecordCandidate(this.path, this.name, found, { repositoryId, worktree, rank, ...seen });
  }
}

function readWhole(path: string, weighed: Weighed): WorkRecord {
  const source = readRecordText(path);
  const parsed = source.ok ? parseWorkRecord(source.value) : source;
  // A file that went or changed meanwhile says no more than what was known of it.
  return parsed.ok ? parsed.value : { ...weighed, profile: "none", owner: "", changed_files: [], body: "" };
}

/** Reads one file as a record to be weighed; fails with the reason in one clause. */
export function readCandidate(path: string, name: string): Result<WorkRecordCandidate, string> {
  const verdict = readVerdict(path);
  if ("found" in verdict) return ok(new WorkRecordCandidate(path, name, verdict.found));
  return failed("skipped" in verdict ? verdict.skipped : "is a context document");
}

/** Newest first: by a time that can be read, then by ledger rank, then by name. */
export function newestFirst(candidates: readonly WorkRecordCandidate[]): WorkRecordCandidate[] {
  // Timestamps of one form order as text; what is not one comes last. Each is read once, not at every comparison.
  const timed = candidates.map((candidate) => ({
    candidate,
    time: parseTimestamp(candidate.createdAt) === undefined ? "" : candidate.createdAt,
  }));
  return timed
    .toSorted(
      (a, b) =>
        compareBytewise(b.time, a.time) ||
        b.candidate.rank - a.candidate.rank ||
        compareBytewise(b.candidate.name, a.candidate.name),
    )
    .map(({ candidate }) => candidate);
}

/** From so many files on, what they were found to be is remembered. */
const REMEMBERED_FROM = 64;

/**
 * The handovers or checkpoints of a directory, newest first: by `created_at`, then by ledger rank. Every
 * file in a record's place that is none is in `skipped` with its reason.
 *
 * @param memory the file that remembers what many files are; without it all are read every time.
 */
export function newestRecords(
  directory: string,
  rank: (name: string) => number,
  memory?: string,
): { candidates: WorkRecordCandidate[]; skipped: SkippedFile[] } {
  const candidates: WorkRecordCandidate[] = [];
  const skipped: SkippedFile[] = [];
  const names = listDirectory(directory).filter((name) => name.endsWith(".md") && !name.startsWith("."));
  const remembered =
    memory === undefined || names.length < REMEMBERED_FROM ? undefined : new RecordMemory(memory);
  // To join each name would look through the whole path as often.
  const within = join(directory, sep);
  for (const name of names) {
    const path = within + name;
    const verdict = remembered === undefined ? readVerdict(path) : recallVerdict(remembered, path, name);
    if ("found" in verdict) {
      candidates.push(new WorkRecordCandidate(path, name, verdict.found, { rank: rank(name) }));
    } else if ("skipped" in verdict) skipped.push({ path, reason: verdict.skipped });
  }
  remembered?.keep();
  return { candidates: newestFirst(candidates), skipped };
}

/** A verdict that may hold the whole record, where it was just read. */
type Reading = { found: Weighed | WorkRecord } | Exclude<Verdict, { record: Weighed }>;

function readVerdict(path: string): Reading {
  const source = readRecordText(path);
  const parsed = source.ok ? parseWorkRecord(source.value) : source;
  if (parsed.ok) return { found: parsed.value };
  return source.ok && isContextDocument(source.value) ? { aside: true } : { skipped: parsed.error };
}

function recallVerdict(memory: RecordMemory, path: string, name: string): Reading {
  const stamp = stampOf(path);
  const known = stamp && memory.verdictOf(name, stamp);
  if (known !== undefined) return "record" in known ? { found: known.record } : known;
  const reading = readVerdict(path);
  if (stamp === undefined) return reading;
  memory.learn(name, stamp, "found" in reading ? { record: weighedOf(reading.found) } : reading);
  return reading;
}

function weighedOf(record: Weighed): Weighed {
  return Object.fromEntries(WEIGHED.map((key) => [key, record[key]])) as Weighed;
}
