import { join } from "node:path";
import type { CommonPaths } from "../checkout/common.ts";
import { appendLines } from "../fs/append.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import { makeDirectory, moveFile } from "../fs/write.ts";

/** Ids come from files: one that is not a plain name must never become a path. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/;

/** Where an episode's ledger lines are kept a second time while it is open. */
export function shadowJournalPath(common: CommonPaths, sessionId: string): string | undefined {
  return PLAIN.test(sessionId) ? join(common.journal, `${sessionId}.jsonl`) : undefined;
}

/** Keeps a ledger line of an episode where the removal of its worktree cannot reach it. */
export function shadowLines(common: CommonPaths, sessionId: string, lines: readonly string[]): void {
  const path = shadowJournalPath(common, sessionId);
  if (path === undefined) return;
  makeDirectory(common.journal, 0o700);
  appendLines(path, lines, { mode: 0o600 });
}

/** The shadow journal of an episode, open or closed; undefined where there is none. */
export function findShadowJournal(common: CommonPaths, sessionId: string): string | undefined {
  const open = shadowJournalPath(common, sessionId);
  if (open === undefined) return undefined;
  const closed = join(common.journalClosed, `${sessionId}.jsonl`);
  return [open, closed].find((path) => stampOf(path) !== undefined);
}

/** Puts the shadow journal of a sealed episode away. */
export function retireShadowJournal(common: CommonPaths, sessionId: string): void {
  const path = shadowJournalPath(common, sessionId);
  if (path !== undefined) moveFile(path, join(common.journalClosed, `${sessionId}.jsonl`));
}

function idsIn(directory: string): string[] {
  return listDirectory(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length));
}

/** The episode ids that have a shadow journal: still kept, and put away because the episode was sealed. */
export function shadowedSessionIds(common: CommonPaths): { kept: string[]; putAway: string[] } {
  return { kept: idsIn(common.journal), putAway: idsIn(common.journalClosed) };
}
