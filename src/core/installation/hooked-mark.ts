import { join } from "node:path";
import { isCommitId } from "../base/id.ts";
import { readText, stampOf } from "../fs/read.ts";
import { writeAtomic } from "../fs/write.ts";

const FILE = "majordomus-hooked";

/** Where a worktree stood when hooks were last installed in it. */
export interface HookedMark {
  /** Undefined before the first commit. */
  head: string | undefined;
  /** Milliseconds since the epoch, by the disk's clock. */
  at: number;
}

/** Notes where a worktree stands now, so that work without a word from its hooks can be counted from here. */
export function markHooked(gitDirectory: string, head: string | undefined): void {
  writeAtomic(join(gitDirectory, FILE), `${head ?? "NONE"}\n`);
}

/** Reads that note; undefined for a worktree in which nothing was installed, or not by us. */
export function readHookedMark(gitDirectory: string): HookedMark | undefined {
  const path = join(gitDirectory, FILE);
  const text = readText(path, { maximumBytes: 256 });
  const at = stampOf(path)?.modified;
  if (!text.ok || at === undefined) return undefined;
  const head = text.value.trim();
  return { head: isCommitId(head) ? head : undefined, at };
}
