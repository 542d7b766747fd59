import { join } from "node:path";
import { spanText } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory, statEntry } from "../fs/read.ts";
import { isTemporary } from "../fs/temporary.ts";
import { CLOSED_COPIES, copiesDirectory, RECORD_KINDS } from "../journal/record-copies.ts";
import { continuityMemory, unfinishedPublications } from "../records/continuity-cache.ts";
import { shelfDirectory } from "../records/knowledge-store.ts";
import type { Skipped } from "./plan-stranded.ts";
import type { RecoveryAction } from "./recovery-answers.ts";

/** A write takes no longer: what is younger is one that is under way, this program's own perhaps. */
const WRITE_MILLISECONDS = 5000;

/**
 * Directories that Majordomus made, where an unfinished file can hold nothing that anybody misses: the private
 * ones, and that of candidates, which are derived again.
 */
function ownDirectories(checkout: Checkout, others: readonly string[]): string[] {
  const { layout, common } = checkout;
  const copies = listDirectory(common.records).flatMap((worktree) =>
    ([...RECORD_KINDS, CLOSED_COPIES] as const).map((kind) => copiesDirectory(checkout, worktree, kind)),
  );
  const directories = [
    shelfDirectory(checkout, "candidates"),
    layout.contexts,
    layout.locks,
    layout.taskArchive,
    layout.completed,
    unfinishedPublications(layout.state),
    continuityMemory(common.root).published,
    common.root,
    common.events,
    common.episodes,
    common.ended,
    common.journal,
    common.journalClosed,
    common.spool,
    common.installed,
    common.cache,
    common.locks,
    ...copies,
    ...others,
  ];
  // Never through a link: what lies behind one is somebody else's.
  return directories.filter((directory) => statEntry(directory)?.isDirectory() === true);
}

/**
 * Temporary files that killed writes left in directories of ours. A young one may be at work still, and one
 * of this moment is not even told of; what is no regular file is none of ours.
 *
 * @param others directories of other stores, beside those of the checkout and of its repository.
 */
export function planLitter(
  checkout: Checkout,
  thresholdMilliseconds: number,
  others: readonly string[] = [],
): { actions: RecoveryAction[]; skipped: Skipped[] } {
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  for (const directory of ownDirectories(checkout, others)) {
    for (const name of listDirectory(directory).filter(isTemporary)) {
      const path = join(directory, name);
      const entry = statEntry(path);
      if (entry === undefined) continue;
      const age = checkout.clock.now() - Number(entry.mtimeMs);
      if (!entry.isFile()) skipped.push({ subject: path, reason: "is not a regular file" });
      else if (age < thresholdMilliseconds) {
        if (Math.abs(age) < WRITE_MILLISECONDS) continue;
        skipped.push({
          subject: path,
          reason: `is only ${spanText(Math.max(0, Math.floor(age / 60_000)))} old`,
        });
      } else {
        actions.push({
          id: `litter:${path}`,
          kind: "orphan",
          subject: path,
          reason: "temporary file left behind",
          evidence: ["a write that was cut short left it in a directory of ours"],
          removes: [path],
        });
      }
    }
  }
  return { actions, skipped };
}
