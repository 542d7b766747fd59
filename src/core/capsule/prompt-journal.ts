import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings } from "../checkout/checkout.ts";
import { sha256Hex } from "../base/id.ts";
import { appendLines } from "../fs/append.ts";
import { stampOf, statEntry } from "../fs/read.ts";
import { moveFile } from "../fs/write.ts";
import { ensureRuntime } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { redactCredentials, redactStructure } from "./redaction/redact.ts";

/** One line of the journal: a prompt, or the end of a session. */
export type JournalFact =
  | { session: string; source: "prompt"; prompt: unknown }
  | { session: string; source: "session-end"; reason: string; flush: string };

const LARGEST_BYTES = 16 * 1024 * 1024;
const SEAT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

function seatOf(environment: Surroundings["environment"]): string {
  const named = environment["AIGENT_SEAT_ID"]?.trim() ?? "";
  if (named === "") return "operator";
  return SEAT.test(named) ? named : `seat-${sha256Hex(named).slice(0, 12)}`;
}

function largest(environment: Surroundings["environment"]): number {
  const given = environment["LIFECYCLE_JOURNAL_MAX_BYTES"] ?? "";
  return /^\d{1,15}$/.test(given) ? Number(given) : LARGEST_BYTES;
}

/** Makes a path private again, whoever loosened it; a link is not followed, since none gets here. */
function tighten(path: string, mode: number): void {
  const entry = statEntry(path);
  if (entry !== undefined && !entry.isSymbolicLink() && Number(entry.mode & 0o777n) !== mode)
    chmodSync(path, mode);
}

/**
 * Appends one line to the prompt journal; what looks like a credential is taken out of it. Only its owner can read it,
 * and a journal that has grown too large is put aside first (capsules.md 11).
 *
 * @returns false when the kill switch is set.
 * @throws the errno error.
 */
export function appendJournal(
  tree: MemoryTree,
  fact: JournalFact,
  { environment, clock }: Pick<Surroundings, "environment" | "clock">,
): boolean {
  if (environment["LIFECYCLE_KILL_JOURNAL"] === "1") return false;
  ensureRuntime(tree);
  tighten(tree.runtime, 0o700);
  const ts = new Date(clock.now()).toISOString();
  if ((stampOf(tree.journal)?.size ?? 0) > largest(environment)) {
    moveFile(tree.journal, join(tree.runtime, `utterance-journal-${ts.slice(0, 10)}-${process.pid}.jsonl`));
  }
  const { session, ...rest } = fact;
  const line = { ts, sid: session, seat: seatOf(environment), ...rest };
  const told = rest.source === "prompt" ? { ...line, prompt: redacted(rest.prompt) } : line;
  appendLines(tree.journal, [JSON.stringify(told)], { mode: 0o600 });
  tighten(tree.journal, 0o600);
  return true;
}

/** A prompt as text; a structured one as its JSON. */
function redacted(prompt: unknown): string {
  return typeof prompt === "string" ? redactCredentials(prompt) : JSON.stringify(redactStructure(prompt));
}
