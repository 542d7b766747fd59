import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Patience } from "../../base/patience.ts";
import { failed, ok } from "../../base/result.ts";
import type { Result } from "../../base/result.ts";
import { withPatientLock } from "../../fs/patient-lock.ts";
import { stampOf, statEntry } from "../../fs/read.ts";
import { createExclusive, writeAtomic } from "../../fs/write.ts";
import { CapsuleDocument } from "../document.ts";
import { AUTHORED_BYTES, readCapsule } from "../files.ts";
import { capsuleLock, ensureDirectory } from "../memory-tree.ts";
import type { MemoryTree } from "../memory-tree.ts";
import { quoteValue } from "../quote.ts";
import { askedAt } from "./asked-at.ts";
import { sweepUnfinished } from "../unfinished.ts";
import type { Delta } from "./delta.ts";
import { isOwn, LARGEST_BYTES, mergeIntoCurated, mergeIntoOwn } from "./merge.ts";
import type { Merged, SessionKnowledge } from "./merge.ts";
import { isForgotten, namesFor } from "./names.ts";
import { autosaveSkeleton, nextAction, unknownObjective, unknownWait } from "./skeleton.ts";

export interface DeltaToWrite {
  token: string;
  /** The capsule that this session wrote until now. */
  current: string | undefined;
  delta: Delta;
  knowledge: SessionKnowledge;
  /** Told of each write right before it. */
  intend: (written: Intended) => void;
}

/** A capsule as it is about to be written. */
export interface Intended {
  name: string;
  bytes: Buffer;
  /** The tasks that were claimed in it before. */
  claimed: readonly string[];
}

export interface WrittenDelta {
  name: string;
  bytes: Buffer;
  /** What happened on the way that a person should find in the log. */
  notes: string[];
}

interface Means {
  clock: Clock;
  patience: Patience;
}

/** Merges into one capsule while it is active; undefined when it is not, or is gone, and a new one must be begun. */
function mergeInto(
  tree: MemoryTree,
  name: string,
  { delta, knowledge, intend }: DeltaToWrite,
  { clock, patience }: Means,
  notes: string[],
): Result<WrittenDelta | undefined, string> {
  const path = join(tree.capsules, name);
  return withPatientLock(
    capsuleLock(tree, name),
    patience,
    (lock): Result<WrittenDelta | undefined, string> => {
      const bytes = readCapsule(path);
      const document = bytes.ok ? CapsuleDocument.parse(bytes.value) : undefined;
      if (!bytes.ok || document === undefined) {
        notes.push(
          `${quoteValue(name, 120)} cannot be continued (${bytes.ok ? "no front matter" : bytes.error}); a new capsule is begun`,
        );
        return ok(undefined);
      }
      // A resume took it: what comes now belongs to nobody's past yet.
      if (document.text("status") !== "active") return ok(undefined);
      const now = clock.now();
      const merged: Result<Merged, string> = isOwn(document)
        ? mergeIntoOwn(bytes.value, document, delta, knowledge, now)
        : ok(mergeIntoCurated(bytes.value, document, delta, now));
      if (!merged.ok || merged.value.bytes.length > AUTHORED_BYTES) {
        const reason = merged.ok ? "it leaves no room to be marked as resumed" : merged.error;
        notes.push(`${quoteValue(name, 120)} cannot be continued (${reason}); a new capsule is begun`);
        return ok(undefined);
      }
      for (const { section, count } of merged.value.lost) {
        notes.push(`${quoteValue(name, 120)} has no anchor for ${section}: ${count} line(s) were not kept`);
      }
      if (merged.value.refused > 0) {
        notes.push(
          `${quoteValue(name, 120)} would be larger than ${LARGEST_BYTES} bytes: ${merged.value.refused} line(s) were not kept`,
        );
      }
      const mode = Number((statEntry(path)?.mode ?? 0o600n) & 0o777n);
      intend({ name, ...merged.value });
      lock.assertHeld();
      writeAtomic(path, merged.value.bytes, { mode });
      return ok({ name, bytes: merged.value.bytes, notes });
    },
  );
}

/** A new autosave with the first stretch in it; undefined where the name is taken. */
function begin(
  tree: MemoryTree,
  name: string,
  { delta, knowledge, intend }: DeltaToWrite,
  { clock }: Means,
  notes: string[],
): Result<WrittenDelta | undefined, string> {
  const now = clock.now();
  const skeleton = autosaveSkeleton(name.replace(/\.md$/i, ""), askedAt(delta, now), {
    objective: knowledge.objective ?? unknownObjective(delta.claims),
    waitingOn: unknownWait(0),
    nextValidAction: nextAction(delta.claims),
    captured: "none",
    updatedAt: new Date(now).toISOString(),
  });
  const bytes = Buffer.from(skeleton);
  const document = CapsuleDocument.parse(bytes);
  if (document === undefined) return failed("a new capsule came out without front matter");
  const merged = mergeIntoOwn(bytes, document, delta, knowledge, now);
  if (!merged.ok) return merged;
  intend({ name, ...merged.value });
  const created = createExclusive(join(tree.capsules, name), merged.value.bytes, { mode: 0o600 });
  return ok(created ? { name, bytes: merged.value.bytes, notes } : undefined);
}

/**
 * Writes what a stretch tells into the session's capsule, or into a new one where that was spent or is gone. The lock
 * of the capsule is the one that the spend takes: none of both ever writes over the other.
 *
 * @throws LockTimeout, MajordomusError or the errno error.
 */
export function writeDelta(tree: MemoryTree, task: DeltaToWrite, means: Means): Result<WrittenDelta, string> {
  ensureDirectory(tree.memory.root);
  ensureDirectory(tree.capsules, 0o700);
  const notes: string[] = [];
  const { current, token } = task;
  if (current !== undefined) {
    const merged = mergeInto(tree, current, task, means, notes);
    if (!merged.ok || merged.value !== undefined) return merged as Result<WrittenDelta, string>;
  }
  for (const name of namesFor(token, means.clock.now(), current)) {
    const taken = stampOf(join(tree.capsules, name)) !== undefined;
    if (taken && !isForgotten(tree, name, token)) continue;
    // Once a session, not at every turn.
    if (!taken) sweepUnfinished(tree, means.clock.now());
    const kept = taken ? mergeInto(tree, name, task, means, notes) : begin(tree, name, task, means, notes);
    if (!kept.ok || kept.value !== undefined) return kept as Result<WrittenDelta, string>;
  }
  return failed("every name for a new capsule of this session is taken");
}
