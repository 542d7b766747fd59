import { elapsedMilliseconds } from "../base/elapsed.ts";
import { captureDelta } from "../capsule/autosave/capture.ts";
import type { Captured } from "../capsule/autosave/capture.ts";
import { logError } from "../capsule/errors-log.ts";
import { isInUse, openMemory } from "../capsule/memory-tree.ts";
import type { MemoryTree } from "../capsule/memory-tree.ts";
import { composeCompactionNote } from "../capsule/note.ts";
import type { FlushClass } from "../capsule/note.ts";
import { appendJournal } from "../capsule/prompt-journal.ts";
import { PRODUCER } from "../base/version.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { reasonAgainst, startAutosave } from "./autosave-start.ts";
import type { LifecycleEvent } from "./event.ts";
import type { Steps } from "./steps.ts";

/** How long a flush may hold up its event, in milliseconds; the rest is the worker's (decisions.md 1.5). */
const INLINE = 600;

const CLASSES: Readonly<Record<Captured["outcome"], FlushClass>> = {
  flushed: "flushed",
  "noop:no-delta": "current",
  "noop:lock-defer": "deferred",
  "noop:no-transcript": "unobservable",
  "noop:no-memory": "unobservable",
  "error:write-failed": "failed",
  "error:worker": "failed",
};

interface Flushed {
  tree: MemoryTree;
  captured: Captured | undefined;
  kind: FlushClass;
}

/** Takes the rest of the transcript into the session's capsule, in this process as far as its time goes. */
async function flush(home: Checkout, event: LifecycleEvent, steps: Steps): Promise<Flushed | undefined> {
  return steps.run("capsule_flush", (note) => {
    const against = reasonAgainst(home, event);
    const tree = openMemory(home);
    if (against !== undefined) {
      note({ result: "skipped", reason: against });
      const killed = home.environment["LIFECYCLE_KILL_STOP_WRITER"] === "1";
      return { tree, captured: undefined, kind: killed ? "killed" : "unobservable" };
    }
    const begun = elapsedMilliseconds();
    const captured = captureDelta(
      tree,
      {
        session: event.session ?? "",
        transcript: event.transcriptPath,
        lastAssistantMessage: event.lastAssistantMessage,
      },
      { clock: home.clock, patience: home.patience, mayGoOn: () => elapsedMilliseconds() - begun < INLINE },
    );
    const { outcome, more, reason } = captured;
    const handed = more ? startAutosave(home, event) : undefined;
    if (more) note({ result: "deferred", reason: handed ?? `${outcome}; the rest goes to the worker` });
    else if (outcome.startsWith("error:")) note({ result: "failed", reason: reason ?? outcome });
    else if (outcome !== "flushed") note({ result: "skipped", reason: outcome });
    return { tree, captured, kind: CLASSES[outcome] };
  });
}

function failedToLand(home: Checkout, event: LifecycleEvent, { tree, kind }: Flushed): void {
  if (kind === "deferred")
    logError(tree, home.clock, "flush", `${event.kind}: another writer is at work; deferred`);
  else if (kind === "failed") logError(tree, home.clock, "flush", `${event.kind}: the flush did not land`);
}

/**
 * The capsule part of an end: the last stretch, then a line in the prompt journal where that is kept. Prints nothing.
 */
export async function flushAtEnd(home: Checkout, event: LifecycleEvent, steps: Steps): Promise<void> {
  const flushed = await flush(home, event, steps);
  if (flushed === undefined) return;
  failedToLand(home, event, flushed);
  if (!home.settings.switches.prompt_journal || !isInUse(flushed.tree)) return;
  await steps.run("prompt_journal", (note) => {
    const kept = appendJournal(
      flushed.tree,
      {
        session: event.session ?? "",
        source: "session-end",
        reason: event.reason ?? "",
        flush: flushed.captured?.outcome ?? `noop:${flushed.kind}`,
      },
      home,
    );
    if (!kept) note({ result: "skipped", reason: "LIFECYCLE_KILL_JOURNAL is set" });
  });
}

/**
 * The capsule part before a compaction.
 *
 * @returns a table of contents for the one who summarises, where the switch `precompact_note` is on
 */
export async function flushBeforeCompaction(
  home: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  const flushed = await flush(home, event, steps);
  if (flushed !== undefined) failedToLand(home, event, flushed);
  if (!home.settings.switches.precompact_note) return undefined;
  return steps.run("precompact_note", () =>
    flushed === undefined
      ? `${PRODUCER}: the capsule could not be flushed; use /resume after the compaction.\n`
      : composeCompactionNote(flushed.tree, event.session ?? "", flushed.kind),
  );
}
