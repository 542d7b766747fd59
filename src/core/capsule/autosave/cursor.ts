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
};

const CURSOR_BYTES = 64 * 1024;

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

/** Reads a cursor's text; a torn or foreign one is undefined. */
function parseCursor(text: string): Cursor | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = { ...value } as Record<string, unknown>;
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
  };
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

export function writeCursor(tree: MemoryTree, token: string, cursor: Cursor): void {
  ensureRuntime(tree);
  ensureDirectory(tree.writers, 0o700);
  const fields = {
    offset: cursor.offset,
    capsule_path: cursor.capsulePath,
    capsule: cursor.capsule,
    last_delta_sha: cursor.lastDelta,
    last_assistant_sha: cursor.lastAssistant,
    tail_sha: cursor.tail,
    objective: cursor.objective,
    first_request: cursor.firstRequest,
    writer: PRODUCER,
  };
  writeAtomic(cursorPath(tree, token), `${JSON.stringify(fields, null, 2)}\n`, { mode: 0o600 });
}
