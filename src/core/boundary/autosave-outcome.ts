import { join } from "node:path";
import { lightSha256 } from "../base/light-hash.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Site } from "../checkout/checkout.ts";
import { isPresent } from "../fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";
import { journalEvent, KEPT_CHARACTERS } from "../journal/event-journal.ts";
import type { StepOutcome } from "../journal/event-journal.ts";
import { clip } from "../text/inert.ts";
import { orderDirectory } from "./autosave-order.ts";
import type { AutosaveOrder } from "./autosave-order.ts";

/** The step of an end and a compaction that does the same: what works there has worked here. */
const STEP = "capsule_flush";

/** Stands while what was told last of this work tree is a failure. */
function markOf({ common, worktreeIdentity }: Site): string {
  return join(orderDirectory(common), `${worktreeIdentity ?? "unknown"}.failed`);
}

function tell(site: Site, { provider, session }: AutosaveOrder, outcome: Omit<StepOutcome, "step">): void {
  const now = site.clock.now();
  journalEvent(site, {
    id: lightSha256(`${process.pid} ${process.hrtime.bigint()} ${now}`).slice(0, 16),
    provider: clip(provider, KEPT_CHARACTERS),
    event: "Stop",
    session: clip(session, KEPT_CHARACTERS),
    ts: formatTimestamp(now),
    phase: "outcome",
    steps: [{ step: STEP, ...outcome }],
  });
}

/**
 * Says in the event journal that a turn was not saved, since the receipt of its end could not know it, and that it works
 * again once it does. Nothing is said while all is well. Never throws: where this cannot be written, the memory tree's log or the
 * user's has the reason.
 *
 * @param fault why nothing was saved; undefined where nothing failed.
 */
export function tellOutcome(site: Site, order: AutosaveOrder, fault: string | undefined): void {
  const mark = markOf(site);
  try {
    if (fault !== undefined) {
      tell(site, order, { result: "failed", ms: 0, reason: clip(fault, KEPT_CHARACTERS) });
      makeDirectory(orderDirectory(site.common), 0o700);
      writeAtomic(mark, "", { mode: 0o600 });
    } else if (isPresent(mark)) {
      tell(site, order, { result: "done", ms: 0, reason: "turns are saved again" });
      removeFile(mark);
    }
  } catch {
    // Nobody waits for this process, and what it did is done.
  }
}
