import { join, relative, sep } from "node:path";
import { reasonOf } from "../../base/error.ts";
import type { Clock } from "../../base/clock.ts";
import { sha256Hex } from "../../base/id.ts";
import type { Patience } from "../../base/patience.ts";
import { isLockTimeout } from "../../fs/lock.ts";
import { withPatientLock } from "../../fs/patient-lock.ts";
import { stampOf } from "../../fs/read.ts";
import { clip } from "../../text/inert.ts";
import { stampPointer } from "../body-state.ts";
import { CapsuleDocument } from "../document.ts";
import { logError } from "../errors-log.ts";
import { ensureRuntime, isInUse, lockedReason } from "../memory-tree.ts";
import type { MemoryTree } from "../memory-tree.ts";
import { flatten, quoteValue } from "../quote.ts";
import { problemText, validateDocument } from "../validate.ts";
import { ClaimBook } from "./claims.ts";
import { NEW_CURSOR, readCursor, writeCursor } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { DeltaCollector, isEmpty } from "./delta.ts";
import type { Delta } from "./delta.ts";
import { leadsElsewhere, nameInCursor, ownCapsules } from "./names.ts";
import { withoutHeld } from "./reread.ts";
import { autosaveLock, sessionToken } from "./session-token.ts";
import { bodyMark, settled } from "./settle.ts";
import { readDelta, tailMark } from "./transcript.ts";
import type { TranscriptReading } from "./transcript.ts";
import { writeDelta } from "./write-delta.ts";
import type { Intended } from "./write-delta.ts";

/** What an autosave is asked for; four facts, however long the conversation was. */
export interface CaptureRequest {
  /** The provider session's raw id. */
  session: string;
  /** Absolute; undefined where the payload named none. */
  transcript: string | undefined;
  /** The last reply, which the transcript may not have yet. */
  lastAssistantMessage: string | undefined;
}

/** What came of it, in the words of the original's outcome line (capsules.md 7.2). */
export type CaptureOutcome =
  | "flushed"
  | "noop:no-transcript"
  | "noop:lock-defer"
  | "noop:no-delta"
  | "noop:no-memory"
  | "error:write-failed"
  | "error:worker";

export interface Captured {
  outcome: CaptureOutcome;
  /** Time ran out: the rest of the transcript is still to be read. */
  more: boolean;
  /** The capsule that was written, by its name. */
  capsule?: string;
  reason?: string;
}

export interface CaptureMeans {
  clock: Clock;
  patience: Patience;
  /** Asked between stretches of the transcript. */
  mayGoOn: () => boolean;
}

const TAG = "stop-capsule-writer";
const ASSISTANT_CHARACTERS = 240;

/**
 * Takes the new part of a session's transcript into its capsule. At most one writer of a session is at work; what
 * cannot be taken now stays before the cursor, and is taken at the next turn. Never throws.
 */
export function captureDelta(tree: MemoryTree, request: CaptureRequest, means: CaptureMeans): Captured {
  const { transcript } = request;
  if (!isInUse(tree)) return { outcome: "noop:no-memory", more: false };
  if (transcript === undefined || stampOf(transcript) === undefined) {
    return { outcome: "noop:no-transcript", more: false };
  }
  const token = sessionToken(request.session);
  try {
    ensureRuntime(tree);
    return withPatientLock(autosaveLock(tree, token), means.patience, () =>
      captureHeld(tree, { ...request, transcript, token }, means),
    );
  } catch (error) {
    if (isLockTimeout(error)) {
      // A writer at work ends by itself; waiting for anybody else may have no end.
      if (error.unknown) logError(tree, means.clock, TAG, lockedReason(tree, error));
      return { outcome: "noop:lock-defer", more: true };
    }
    const reason = reasonOf(error);
    logError(tree, means.clock, TAG, reason);
    return { outcome: "error:worker", more: false, reason };
  }
}

interface HeldRequest extends CaptureRequest {
  transcript: string;
  token: string;
}

/** Where reading goes on; at the start again when the file is not the one that was read. */
function startOf(tree: MemoryTree, cursor: Cursor, path: string, clock: Clock): number {
  if (cursor.offset === 0) return 0;
  const size = stampOf(path)?.size ?? 0;
  if (size < cursor.offset) {
    logError(tree, clock, TAG, "the transcript is shorter than it was; it is read again from its start");
    return 0;
  }
  if (cursor.tail === "" || tailMark(path, cursor.offset) === cursor.tail) return cursor.offset;
  logError(tree, clock, TAG, "the transcript was replaced; it is read again from its start");
  return 0;
}

/**
 * What is known of a session. One whose cursor cannot be read goes on with its newest capsule, and is told what its
 * capsules hold, since its transcript is then read again.
 */
function knownOf(
  tree: MemoryTree,
  token: string,
  clock: Clock,
): { known: Cursor; bodies: readonly string[] | undefined } {
  const read = readCursor(tree, token);
  if (read.ok) return { known: settled(tree, read.value ?? NEW_CURSOR), bodies: undefined };
  logError(tree, clock, TAG, `the cursor ${read.error}; the transcript is read again from its start`);
  const own = ownCapsules(tree, token);
  return { known: { ...NEW_CURSOR, capsule: own.at(-1)?.name }, bodies: own.map(({ body }) => body) };
}

function captureHeld(tree: MemoryTree, request: HeldRequest, means: CaptureMeans): Captured {
  const { clock } = means;
  const { transcript, token } = request;
  const { known, bodies } = knownOf(tree, token, clock);
  const from = startOf(tree, known, transcript, clock);
  const again = from < known.offset;
  const claims = new ClaimBook(again ? new Map() : known.openClaims, known.offset === 0);
  const reading = readDelta(transcript, from, means.mayGoOn, new DeltaCollector(claims));
  const told = { ...withReply(reading.delta, request.lastAssistantMessage, known), again };
  const delta = bodies === undefined ? told : withoutHeld(told, bodies);
  const cursor: Cursor = {
    ...known,
    offset: reading.offset,
    tail: tailMark(transcript, reading.offset),
    objective: delta.latestRequest ?? known.objective,
    firstRequest: known.firstRequest ?? delta.firstRequest,
  };
  const mark = sha256Hex(JSON.stringify(delta)).slice(0, 16);
  if (isEmpty(delta) || (mark === known.lastDelta && !tellsEvents(delta))) {
    if (cursor.offset !== known.offset || bodies !== undefined) {
      writeCursor(tree, token, { ...cursor, openClaims: claims.open(delta.claims) });
    }
    return { outcome: "noop:no-delta", more: reading.more };
  }
  // Without a cursor the capsules themselves tell what was taken.
  const before = bodies === undefined ? known : undefined;
  return keep(
    tree,
    request,
    { delta, before, cursor: { ...cursor, lastDelta: mark }, claims, reading },
    means,
  );
}

/** Whether something happened that is counted, however often it is told in the same words. */
function tellsEvents({ utterances, errors, again }: Delta): boolean {
  return !again && utterances.length + errors.length > 0;
}

/** The payload's reply counts as the newest; one that was kept already, from either source, is not kept again. */
function withReply(delta: Delta, reply: string | undefined, known: Cursor): Delta {
  const said = flatten(reply ?? "");
  const last =
    said === ""
      ? delta.lastAssistant
      : { text: clip(said, ASSISTANT_CHARACTERS), at: delta.lastAssistant?.at };
  const seen = last !== undefined && replyMark(last.text) === known.lastAssistant;
  return { ...delta, lastAssistant: seen ? undefined : last };
}

function replyMark(text: string): string {
  return sha256Hex(text).slice(0, 16);
}

interface Taken {
  delta: Delta;
  /** The cursor as it stands on disk; undefined where it could not be read. */
  before: Cursor | undefined;
  cursor: Cursor;
  claims: ClaimBook;
  reading: TranscriptReading;
}

function keep(
  tree: MemoryTree,
  request: HeldRequest,
  { delta, before, cursor, claims, reading }: Taken,
  means: CaptureMeans,
): Captured {
  const { clock } = means;
  if (leadsElsewhere(tree, cursor))
    logError(tree, clock, TAG, "the cursor names a capsule outside of the capsules directory; refused");
  let next = cursor;
  const intend = (intended: Intended): void => {
    next = {
      ...cursor,
      capsule: intended.name,
      capsulePath: join(tree.capsules, intended.name),
      lastAssistant:
        delta.lastAssistant === undefined ? cursor.lastAssistant : replyMark(delta.lastAssistant.text),
      openClaims: claims.open(intended.claimed),
    };
    if (before === undefined) return;
    const pending = { cursor: next, body: bodyMark(intended.bytes) };
    writeCursor(tree, request.token, { ...before, pending });
  };
  const written = writeDelta(
    tree,
    { token: request.token, current: nameInCursor(tree, cursor), delta, knowledge: cursor, intend },
    means,
  );
  if (!written.ok) {
    logError(tree, clock, TAG, written.error);
    return { outcome: "error:write-failed", more: reading.more, reason: written.error };
  }
  const { name, bytes, notes } = written.value;
  for (const note of notes) logError(tree, clock, TAG, note);
  writeCursor(tree, request.token, next);
  const document = CapsuleDocument.parse(bytes);
  if (document !== undefined) tellPointer(tree, request, name, document, means);
  return { outcome: "flushed", more: reading.more, capsule: name };
}

/** Problems of the result are logged, never in the way: a snapshot with a flaw is better than none. */
function tellPointer(
  tree: MemoryTree,
  { session }: HeldRequest,
  name: string,
  document: CapsuleDocument,
  means: CaptureMeans,
): void {
  const { clock } = means;
  for (const problem of validateDocument(document).problems) {
    logError(tree, clock, TAG, `${quoteValue(name, 120)}: ${problemText(problem)}`);
  }
  try {
    const stamped = stampPointer(
      tree,
      {
        id: document.text("id"),
        path: relative(tree.base, join(tree.capsules, name)).split(sep).join("/"),
        objective: document.value("objective"),
        status: "active",
        created_at: new Date(clock.now()).toISOString(),
        trigger: "stop-delta",
        session_id: session,
      },
      means,
    );
    if (!stamped.ok) logError(tree, clock, TAG, stamped.error);
  } catch (error) {
    logError(tree, clock, TAG, reasonOf(error));
  }
}
