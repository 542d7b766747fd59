import { join } from "node:path";
import type { Site } from "../checkout/checkout.ts";
import { appendLines } from "../fs/append.ts";
import { refuseFollowed } from "../fs/linked.ts";
import { sizeOf } from "../fs/read.ts";
import { scanLines } from "../fs/scan.ts";
import { makeDirectory, moveFile, removeFile } from "../fs/write.ts";

export type StepResult = "done" | "skipped" | "deferred" | "failed" | "refused";

export interface StepOutcome {
  step: string;
  result: StepResult;
  /** Milliseconds that the step took. */
  ms: number;
  reason?: string;
}

export interface JournalEntry {
  id: string;
  ts: string;
  provider: string;
  declared?: string;
  event: string;
  session?: string;
  source?: string;
  /** Why a session ended, in the provider's word. */
  reason?: string;
  /** The process that took a start, a compaction or an end: until it says how it went, it may be at it. */
  pid?: number;
  phase: "received" | "outcome";
  steps?: StepOutcome[];
}

const MAXIMUM_BYTES = 8 * 1024 * 1024;
const KEPT_ARCHIVES = 4;
/** How much of a journal is looked back over. */
export const TAIL_BYTES = 256 * 1024;
/** Values of a payload are bounded where they are kept: a hostile one must not fill the journal. */
export const KEPT_CHARACTERS = 1024;

/** The event journal of one worktree; `unknown` serves a site that never had a start. */
export function eventJournalPath(site: Pick<Site, "common" | "worktreeIdentity">): string {
  return join(site.common.events, `${site.worktreeIdentity ?? "unknown"}.jsonl`);
}

/**
 * Appends one line, in one write and without a lock: rotation renames the file under a writer, and what
 * it writes then stands whole in the archive. This is the one store that forgets.
 */
export function journalEvent(site: Pick<Site, "common" | "worktreeIdentity">, entry: JournalEntry): void {
  refuseFollowed([site.common.root, site.common.events]);
  const path = eventJournalPath(site);
  const size = sizeOf(path);
  if (size === undefined) makeDirectory(site.common.events, 0o700);
  else if (size > MAXIMUM_BYTES) rotate(path);
  appendLines(path, [JSON.stringify(entry)], { mode: 0o600 });
}

function rotate(path: string): void {
  removeFile(`${path}.${KEPT_ARCHIVES}`);
  for (let number = KEPT_ARCHIVES - 1; number >= 1; number -= 1) {
    moveFile(`${path}.${number}`, `${path}.${number + 1}`);
  }
  moveFile(path, `${path}.1`);
}

/** The newest entries of this worktree's journal (at most 256 KiB of them), oldest first. */
export function readJournalTail(site: Pick<Site, "common" | "worktreeIdentity">): JournalEntry[] {
  const path = eventJournalPath(site);
  const size = sizeOf(path) ?? 0;
  const entries: JournalEntry[] = [];
  scanLines(path, Math.max(0, size - TAIL_BYTES), (buffer, start, end) => {
    const entry = parseEntry(buffer.toString("utf8", start, end));
    if (entry !== undefined) entries.push(entry);
  });
  return entries;
}

/** One line of a journal; undefined for what is none. */
export function parseEntry(text: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const entry = value as Partial<JournalEntry>;
    const whole =
      typeof entry.id === "string" &&
      typeof entry.ts === "string" &&
      typeof entry.provider === "string" &&
      typeof entry.event === "string" &&
      (entry.phase === "received" || entry.phase === "outcome");
    return whole ? (entry as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** The newest receipt of each event by provider: `{ "claude-code": { Stop: "2026-…Z" } }`. */
export function lastReceived(entries: readonly JournalEntry[]): Map<string, Map<string, string>> {
  const byProvider = new Map<string, Map<string, string>>();
  for (const entry of entries) {
    if (entry.phase !== "received") continue;
    const events = byProvider.get(entry.provider) ?? new Map<string, string>();
    events.set(entry.event, entry.ts);
    byProvider.set(entry.provider, events);
  }
  return byProvider;
}
