import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { workingChanges } from "../checkout/working-changes.ts";
import { statEntry } from "../fs/read.ts";
import { wasTouchedSince } from "../fs/touched-since.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { episodeFacts } from "../journal/roster.ts";
import { readCandidate } from "../records/work-record-store.ts";
import type { WorkRecordCandidate } from "../records/work-record-store.ts";
import { writeDerivedCheckpoint } from "../task/checkpoint.ts";
import { writeDerivedHandover } from "../task/handover.ts";
import { handoverIsDue, lastHandoverPath, lostHandoverIsDue } from "../task/handover-due.ts";
import type { WorkedOn } from "../task/handover-due.ts";
import { gatherWork } from "../task/work-facts.ts";
import type { WorkFacts } from "../task/work-facts.ts";
import type { LedgerLine } from "../ledger/line.ts";
import type { Instant } from "./instant.ts";
import type { StepNote, Steps } from "./steps.ts";
import { episodeStart, workLines } from "./work-lines.ts";

type Note = (note: StepNote) => void;

const DEFERRED = "a lock stayed held; what could not be noted waits or stays as it was";

/** Says of a written record what did not simply work. */
function noteWritten(
  note: Note,
  written: { deferred: boolean; notes: readonly string[] },
  { doubts }: WorkFacts,
): void {
  const unknown = Object.values(doubts).filter((doubt: string | undefined) => doubt !== undefined);
  const reason = [...(written.deferred ? [DEFERRED] : []), ...written.notes, ...unknown].join("; ");
  if (reason !== "") note({ result: written.deferred ? "deferred" : "done", reason });
}

/** The step that writes the derived checkpoint of an episode, unless the policy says not to. */
export async function deriveCheckpointStep(
  checkout: Checkout,
  entry: RosterEntry,
  instant: Instant,
  steps: Steps,
): Promise<void> {
  if (!checkout.settings.policy.session.checkpoint_on_compact) {
    steps.skip("checkpoint", "session.checkpoint_on_compact is false");
    return;
  }
  await steps.run("checkpoint", (note) => {
    const lines = workLines(checkout, entry.sessionId);
    const facts = gatherWork(checkout, instant.moment, episodeStart(entry), lines);
    const author = { session: entry.sessionId, deferrable: true };
    noteWritten(note, writeDerivedCheckpoint(checkout, facts, author, instant.moment), facts);
    instant.shelf.forget();
  });
}

/** The episode's own last handover, else the one that resolves here. */
function handoverBefore(
  checkout: Checkout,
  instant: Instant,
  lines: readonly LedgerLine[],
): WorkRecordCandidate | undefined {
  const named = lastHandoverPath(lines)?.split("/").at(-1);
  const own = named === undefined ? undefined : readCandidate(join(checkout.layout.handovers, named), named);
  return own?.ok === true ? own.value : instant.shelf.newest("handovers")?.candidate;
}

/** When a file was last written; nothing where there is none. */
function writtenAt(path: string): bigint {
  return statEntry(path)?.mtimeNs ?? 0n;
}

function workedOn(
  checkout: Checkout,
  entry: RosterEntry,
  instant: Instant,
  lines: readonly LedgerLine[],
): WorkedOn {
  const { root } = checkout;
  const tree = instant.moment.tree();
  const changesIn = (paths: readonly string[]): string[] => workingChanges(checkout, paths);
  const before = (): WorkRecordCandidate | undefined => handoverBefore(checkout, instant, lines);
  return {
    head: checkout.head ?? "NONE",
    startHead: episodeFacts(entry).start_head,
    changed: changesIn(tree.ok ? tree.value.changed : []),
    changedThen: () => {
      // Where git does not say what differs now, there is nothing to compare with.
      const record = tree.ok ? before()?.record : undefined;
      return record && changesIn(record.changed_files);
    },
    touchedSince: (paths) => {
      // Times of files are compared with those of files: another clock, or a coarser one, would tell something else.
      const opened = writtenAt(entry.path);
      const handover = before();
      const handed = handover?.worktree === root ? writtenAt(handover.path) : 0n;
      return wasTouchedSince(root, paths, opened > handed ? opened : handed);
    },
  };
}

/**
 * The step that writes the derived handover of an episode when one is due (decisions.md 1.4). It closes the
 * task only where the switch says so, and never for an episode that lost its worker.
 *
 * @param lost the episode's worker is gone, or it is another's to close: healing, not ending.
 */
export async function deriveHandoverStep(
  checkout: Checkout,
  entry: RosterEntry,
  instant: Instant,
  steps: Steps,
  lost: boolean,
): Promise<void> {
  const { policy, switches } = checkout.settings;
  if (!policy.session.handover_on_end) {
    steps.skip("handover", "session.handover_on_end is false");
    return;
  }
  await steps.run("handover", (note) => {
    const lines = workLines(checkout, entry.sessionId);
    const worked = workedOn(checkout, entry, instant, lines);
    const due = lost ? lostHandoverIsDue(lines, worked) : handoverIsDue(lines, worked);
    if (!due) {
      note({ result: "skipped", reason: `nothing happened since the last one (${entry.sessionId})` });
      return;
    }
    const facts = gatherWork(checkout, instant.moment, episodeStart(entry), lines);
    const options = {
      noTask: facts.task === undefined,
      close: !lost && switches.handover_closes_task,
    };
    const author = { session: entry.sessionId, deferrable: true };
    noteWritten(note, writeDerivedHandover(checkout, facts, options, author, instant.moment), facts);
    instant.shelf.forget();
  });
}
