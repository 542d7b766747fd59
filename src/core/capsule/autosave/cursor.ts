import { PRODUCER } from "../../base/version.ts";
import { failed, ok } from "../../base/result.ts";
import type { Result } from "../../base/result.ts";
import { readText } from "../../fs/read.ts";
import { writeAtomic } from "../../fs/write.ts";
import { ensureDirectory, ensureRuntime } from "../memory-tree.ts";
import type { MemoryTree } from "../memory-tree.ts";
import { cursorPath } from "./session-token.ts";

/** How far one session's transcript was taken, and into which capsule. */
export interface Cursor {
  offset: number;
  /** Of the capsule, in the capsules directory. */
  capsule: string | undefined;
  /** As the original spells it; only read where we did not write the name ourselves. */
  capsulePath: string | undefined;
  lastDelta: string;
  lastAssistant: string;
  /** A mark of the bytes before the offset. */
  tail: string;
  /** The requests of the whole session: a capsule that is begun after a spend goes on with them. */
  objective: string | undefined;
  firstRequest: string | undefined;
  /** The claimed task by the id of the call, where the result is still to come and no other claim stands for it. */
  openClaims: ReadonlyMap<string, string>;
  /** The write that was about to happen, until it is known to have happened. */
  pending: PendingWrite | undefined;
}

/** What a cursor is once a capsule has the body that was about to be written into it. */
export interface PendingWrite {
  cursor: Cursor;
  /** `bodyMark` of the capsule as it was to be. */
  body: string;
}

export const NEW_CURSOR: Cursor = {
  offset: 0,
  capsule: undefined,
  capsulePath: undefined,
  lastDelta: "",
  lastAssistant: "",
  tail: "",
  objective: undefined,
  firstRequest: undefined,
  openClaims: new Map(),
  pending: undefined,
};

const CURSOR_BYTES = 256 * 1024;

function textIn(fields: Record<string, unknown>, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const TEXTS = [
  "capsule",
  "capsule_path",
  "last_delta_sha",
  "last_assistant_sha",
  "tail_sha",
  "objective",
  "first_request",
] as const;

/** Whether the fields that we read are what a writer puts there, or are not there at all. */
function areTexts(fields: Record<string, unknown>): boolean {
  return TEXTS.every((key) => ["string", "undefined"].includes(typeof (fields[key] ?? undefined)));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function claimsIn(value: unknown): ReadonlyMap<string, string> {
  const entries = isFields(value) ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function pendingIn(value: unknown): PendingWrite | undefined {
  if (!isFields(value) || typeof value["body_sha"] !== "string") return undefined;
  const cursor = cursorIn(value["cursor"]);
  return cursor === undefined ? undefined : { cursor, body: value["body_sha"] };
}

function cursorIn(fields: unknown): Cursor | undefined {
  if (!isFields(fields)) return undefined;
  const { offset } = fields;
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0) return undefined;
  if (!areTexts(fields)) return undefined;
  return {
    offset,
    capsule: textIn(fields, "capsule"),
    capsulePath: textIn(fields, "capsule_path"),
    lastDelta: textIn(fields, "last_delta_sha") ?? "",
    lastAssistant: textIn(fields, "last_assistant_sha") ?? "",
    tail: textIn(fields, "tail_sha") ?? "",
    objective: textIn(fields, "objective"),
    firstRequest: textIn(fields, "first_request"),
    openClaims: claimsIn(fields["open_claims"]),
    pending: pendingIn(fields["pending"]),
  };
}

/** Reads a cursor's text; a torn or foreign one is undefined. */
function parseCursor(text: string): Cursor | undefined {
  try {
    return cursorIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Reads how far a session's transcript was taken.
 *
 * @returns undefined where nothing was taken yet; or why what stands there cannot be gone on from.
 */
export function readCursor(tree: MemoryTree, token: string): Result<Cursor | undefined, string> {
  const text = readText(cursorPath(tree, token), { maximumBytes: CURSOR_BYTES });
  if (!text.ok) return text.error.kind === "absent" ? ok(undefined) : failed(text.error.message);
  const cursor = parseCursor(text.value);
  return cursor === undefined ? failed("is torn, or no cursor of a writer") : ok(cursor);
}

function fieldsOf(cursor: Cursor): object {
  const { openClaims, pending } = cursor;
  return {
    offset: cursor.offset,
    capsule_path: cursor.capsulePath,
    capsule: cursor.capsule,
    last_delta_sha: cursor.lastDelta,
    last_assistant_sha: cursor.lastAssistant,
    tail_sha: cursor.tail,
    objective: cursor.objective,
    first_request: cursor.firstRequest,
    open_claims: openClaims.size === 0 ? undefined : Object.fromEntries(openClaims),
    pending: pending === undefined ? undefined : { body_sha: pending.body, cursor: fieldsOf(pending.cursor) },
  };
}

export function writeCursor(tree: MemoryTree, token: string, cursor: Cursor): void {
  ensureRuntime(tree);
  ensureDirectory(tree.writers, 0o700);
  const fields = { ...fieldsOf(cursor), writer: PRODUCER };
  writeAtomic(cursorPath(tree, token), `${JSON.stringify(fields, null, 2)}\n`, { mode: 0o600 });
}
