import { join } from "node:path";
import { sha256Hex } from "../../base/id.ts";
import { CapsuleDocument } from "../document.ts";
import { readCapsule } from "../files.ts";
import type { MemoryTree } from "../memory-tree.ts";
import type { Cursor } from "./cursor.ts";
import { nameInCursor } from "./names.ts";

/** What tells the body of a capsule from any other; a spend changes its front matter alone. */
export function bodyMark(bytes: Buffer): string {
  return sha256Hex(bytes.subarray(CapsuleDocument.parse(bytes)?.place.bodyStart ?? 0)).slice(0, 32);
}

/**
 * The cursor behind a write that may have happened: a writer that was killed after it has said so before. Else what
 * the stretch left out would be counted a second time.
 */
export function settled(tree: MemoryTree, cursor: Cursor): Cursor {
  const { pending, ...before } = cursor;
  if (pending === undefined) return cursor;
  const name = nameInCursor(tree, pending.cursor);
  const bytes = name === undefined ? undefined : readCapsule(join(tree.capsules, name));
  const happened = bytes?.ok === true && bodyMark(bytes.value) === pending.body;
  return { ...(happened ? pending.cursor : before), pending: undefined };
}
