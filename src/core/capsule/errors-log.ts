import type { Clock } from "../base/clock.ts";
import { appendLines } from "../fs/append.ts";
import { stampOf } from "../fs/read.ts";
import { moveFile } from "../fs/write.ts";
import { isInUse } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";

/** A log that is never read must not grow for ever; one former part is kept. */
const LARGEST_BYTES = 256 * 1024;
const TAG_CHARACTERS = 80;
const MESSAGE_CHARACTERS = 1000;

/**
 * Notes one failure in the memory tree's error log: one line, everything quoted (capsules.md 7.7). Messages name
 * files and reasons, never what a person wrote.
 *
 * @returns false when it could not be written; the caller's receipt then is the only trace.
 */
export function logError(tree: MemoryTree, clock: Clock, tag: string, message: string): boolean {
  if (!isInUse(tree) || !tree.memory.exists) return false;
  const at = new Date(clock.now()).toISOString();
  const line = `${at} tag=${quoteValue(tag, TAG_CHARACTERS)} message=${quoteValue(message, MESSAGE_CHARACTERS)}`;
  try {
    if ((stampOf(tree.errors)?.size ?? 0) > LARGEST_BYTES) moveFile(tree.errors, `${tree.errors}.1`);
    appendLines(tree.errors, [line], { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
