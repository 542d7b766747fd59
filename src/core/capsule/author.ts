import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { createExclusive } from "../fs/write.ts";
import { CapsuleDocument } from "./document.ts";
import { AUTHORED_BYTES } from "./files.ts";
import { findCapsule, readNamed } from "./find.ts";
import { checkFraming } from "./framing-check.ts";
import { judgeCapsule } from "./judge.ts";
import { capsuleLock, ensureDirectory, ensureRuntime } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import type { RejectionReason } from "./reasons.ts";
import { refused } from "./refused.ts";
import { hasStatus, replaceTokens, rewriteCapsule } from "./rewrite.ts";
import { sweepUnfinished } from "./unfinished.ts";
import { problemText, validateDocument } from "./validate.ts";

/** An id that is the name of its file on every system. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LONGEST_ID = 181;

/** Whether an id can name a file on every system, and leads nowhere. */
export function canNameFile(id: string): boolean {
  return id.length <= LONGEST_ID && ID.test(id);
}

/** What would make a text selectable that the selector would not take. */
const REMEDIES: Partial<Record<RejectionReason, string>> = {
  "already-consumed": "status is active in a capsule that is to be resumed",
  "status-not-active": "status is active in a capsule that is to be resumed",
  "bad-created_at": "created_at is ISO 8601 with an offset",
  "future-created_at": "created_at is the time of writing",
};

export interface Authored {
  id: string;
  path: string;
  /** What its framing lacks: told, not refused. */
  framing: string[];
}

/** Judges a capsule that is to be written: whatever would make it unselectable is found now, not at the next clear. */
function judgeAuthored(text: string, now: number): CapsuleDocument {
  const bytes = Buffer.from(text);
  const document = CapsuleDocument.parse(bytes);
  if (document === undefined) throw refused("capsule", "has no front matter");
  if (bytes.length > AUTHORED_BYTES)
    throw refused("capsule", `has ${bytes.length} bytes, of ${AUTHORED_BYTES} at most`, "shorten its text");
  const { problems } = validateDocument(document);
  if (problems.length > 0) throw refused("capsule", problems.map(problemText).join("; "));
  const verdict = judgeCapsule(document, now);
  if (!verdict.valid) {
    const detail = verdict.detail === undefined ? "" : ` (${verdict.detail})`;
    throw refused("capsule", `could not be selected: ${verdict.reason}${detail}`, REMEDIES[verdict.reason]);
  }
  return document;
}

/**
 * Writes a curated capsule under the name of its id, durably and only where that name is free.
 *
 * @throws MajordomusError 10 for a text that the validator or the selector would refuse, 15 for a name that is taken.
 */
export function writeCapsule(tree: MemoryTree, text: string, now: number): Authored {
  const document = judgeAuthored(text, now);
  const id = document.text("id").trim();
  if (id.length > LONGEST_ID)
    throw refused("id", `is ${id.length} characters long`, `use ${LONGEST_ID} at most: it names the file`);
  if (!ID.test(id))
    throw refused(id, "is no id that can name a file", "use letters, digits, dots, dashes, underscores");
  ensureDirectory(tree.memory.root);
  ensureDirectory(tree.capsules, 0o700);
  sweepUnfinished(tree, now);
  const path = join(tree.capsules, `${id}.md`);
  if (!createExclusive(path, text, { durable: true, mode: 0o600 })) {
    throw new MajordomusError({
      code: "capsule.taken",
      exit: EXIT.refused,
      subject: path,
      message: "exists already",
      remedy: "give the capsule another id",
    });
  }
  return { id, path, framing: checkFraming(document) };
}

export interface Settled {
  state: "settled" | "kept";
  name: string;
  before: string;
}

/**
 * Marks a capsule as finished or given up, because a person says so: its status, and the date where the field stands
 * there. Every other byte stays.
 *
 * @throws MajordomusError 12 and 10 as `findCapsule`; 10 when it was changed meanwhile; LockTimeout.
 */
export function settleCapsule(
  tree: MemoryTree,
  wanted: string,
  status: "resolved" | "abandoned",
  { clock, patience }: { clock: Clock; patience: Patience },
): Settled {
  const { name, path } = findCapsule(tree, wanted);
  ensureRuntime(tree);
  return withPatientLock(capsuleLock(tree, name), patience, (lock) => {
    const { bytes, document } = readNamed(tree, name);
    const before = document.text("status");
    if (before === status) return { state: "kept", name, before };
    const at = new Date(clock.now()).toISOString();
    const stamped = document.scalar("resolved_at") === undefined ? [] : [{ key: "resolved_at", token: at }];
    const after = replaceTokens(bytes, [{ key: "status", token: status }, ...stamped]);
    if (!after.ok) throw refused(name, after.error);
    const written = rewriteCapsule(path, bytes, after.value, lock);
    if (!written.ok) throw refused(name, written.error, "try again");
    if (!hasStatus(path, status)) throw refused(name, "does not have the new status when it is read back");
    return { state: "settled", name, before };
  });
}
