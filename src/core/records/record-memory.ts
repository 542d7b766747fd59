import { dirname } from "node:path";
import { readText, stampOf } from "../fs/read.ts";
import type { FileStamp } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";

/** What is asked of every record of a store: everything else is read when somebody asks for it. */
export const WEIGHED = ["created_at", "task_id", "repository_id", "worktree", "branch", "head"] as const;
export type Weighed = Record<(typeof WEIGHED)[number], string>;

/** What a file in a record's place is: a record, none (with the reason), or never meant as one. */
export type Verdict = { record: Weighed } | { skipped: string } | { aside: true };

type Entry = [size: number, modified: number, inode: string, verdict: Verdict];

const VERSION = "majordomus-record-memory/v2";
const MAXIMUM_BYTES = 32 * 1024 * 1024;
/** A file system may count time so coarsely that a change right after our look leaves the stamp alone. */
const RACY_MILLISECONDS = 2000;
/** Fewer new files than this are read again rather than remembered: writing has its price too. */
const WORTH_KEEPING = 16;

/**
 * What the files of one directory of records were found to be when they were last read. Records are never
 * edited, so a file with the same stamp needs no second reading. It can be deleted at any time.
 */
export class RecordMemory {
  readonly #path: string;
  readonly #known: Readonly<Record<string, unknown>>;
  readonly #written: number;
  readonly #seen = new Map<string, Entry>();
  #learned = 0;

  constructor(path: string) {
    this.#path = path;
    this.#written = stampOf(path)?.modified ?? 0;
    this.#known = recall(path);
  }

  /** What is remembered of a file that still has this stamp. */
  verdictOf(name: string, stamp: FileStamp): Verdict | undefined {
    const entry = Object.hasOwn(this.#known, name) ? this.#known[name] : undefined;
    if (!isEntry(entry)) return undefined;
    const [size, modified, inode, verdict] = entry;
    if (size !== stamp.size || modified !== stamp.modified || inode !== stamp.inode) return undefined;
    if (modified + RACY_MILLISECONDS > this.#written) return undefined;
    this.#seen.set(name, entry);
    return verdict;
  }

  /** Remembers what a file was found to be; the stamp is that from before it was read. */
  learn(name: string, stamp: FileStamp, verdict: Verdict): void {
    this.#seen.set(name, [stamp.size, stamp.modified, stamp.inode, verdict]);
    this.#learned += 1;
  }

  /** Keeps what was seen, when enough of it is new. What cannot be kept is read again. */
  keep(): void {
    if (this.#learned < WORTH_KEEPING) return;
    try {
      makeDirectory(dirname(this.#path), 0o700);
      const entries = Object.fromEntries(this.#seen);
      writeAtomic(this.#path, JSON.stringify({ version: VERSION, entries }), { mode: 0o600 });
    } catch {
      // A disk that takes no memory is no failure: the records are there.
    }
  }
}

/** What stands in the file, by name; what an entry is worth is judged when it is asked for. */
function recall(path: string): Readonly<Record<string, unknown>> {
  const text = readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return {};
  try {
    const { version, entries } = JSON.parse(text.value) as { version?: unknown; entries?: unknown };
    const isUsable = version === VERSION && typeof entries === "object" && entries !== null;
    return isUsable ? (entries as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const verdict: unknown = value[3];
  if (typeof verdict !== "object" || verdict === null) return false;
  if ("record" in verdict) {
    const record = verdict.record as Partial<Record<string, unknown>> | null;
    return typeof record === "object" && WEIGHED.every((key) => typeof record?.[key] === "string");
  }
  return "aside" in verdict || ("skipped" in verdict && typeof verdict.skipped === "string");
}
