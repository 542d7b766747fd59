import type { Clock } from "../base/clock.ts";
import { appendLines } from "../fs/append.ts";
import { stampOf } from "../fs/read.ts";
import { moveFile } from "../fs/write.ts";
import { complain } from "../journal/last-resort.ts";
import { ensureDirectory, isInUse } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";

/** A log that is never read must not grow for ever; one former part is kept. */
const LARGEST_BYTES = 256 * 1024;
const TAG_CHARACTERS = 80;
const MESSAGE_CHARACTERS = 1000;

/** What a line begins with where the tree itself could not take it: whose it is, in a log that all trees share. */
export function elsewhereMark(tree: MemoryTree): string {
  return `memory ${quoteValue(tree.memory.root, 400)} could not be written:`;
}

/**
 * Notes one failure in the memory tree's error log: one line, everything quoted (capsules.md 7.7). Messages name
 * files and reasons, never what a person wrote. What the tree cannot take, because it is full or may not be written,
 * goes to the user's own log: a hook says nothing on its standard error.
 */
export function logError(tree: MemoryTree, clock: Clock, tag: string, message: string): void {
  if (!isInUse(tree)) return;
  const at = new Date(clock.now()).toISOString();
  const line = `tag=${quoteValue(tag, TAG_CHARACTERS)} message=${quoteValue(message, MESSAGE_CHARACTERS)}`;
  try {
    ensureDirectory(tree.memory.root);
    if ((stampOf(tree.errors)?.size ?? 0) > LARGEST_BYTES) moveFile(tree.errors, `${tree.errors}.1`);
    appendLines(tree.errors, [`${at} ${line}`], { mode: 0o600 });
  } catch {
    complain(tree.lastResort, at, `${elsewhereMark(tree)} ${line}`);
  }
}
