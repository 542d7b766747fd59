import { join } from "node:path";
import { newTaskId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory } from "../fs/read.ts";
import { createExclusive, makeDirectory, removeFile } from "../fs/write.ts";

/** Four hex digits a second are few for many worktrees: ids are claimed where all of them look. */
const KEPT_CLAIMS = 200;
const PRUNED_ABOVE = 400;

/**
 * Mints a task id that no worktree of this repository has (records.md 2). Of many at once, each gets another.
 * A claim is an empty file in our state; the oldest are forgotten, since an id begins with its second.
 */
export function claimTaskId(checkout: Pick<Checkout, "common" | "clock" | "random">): string {
  const directory = join(checkout.common.root, "task-ids");
  makeDirectory(directory, 0o700);
  for (;;) {
    const id = newTaskId(checkout.clock, checkout.random);
    if (!createExclusive(join(directory, id), "", { mode: 0o600 })) continue;
    const claims = listDirectory(directory);
    if (claims.length > PRUNED_ABOVE) {
      for (const old of claims.slice(0, -KEPT_CLAIMS)) removeFile(join(directory, old));
    }
    return id;
  }
}
