import { join } from "node:path";
import { sha256Hex } from "../../base/id.ts";
import type { MemoryTree } from "../memory-tree.ts";

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A session's id as it may stand in a file's name; one that is no plain word is replaced everywhere by a hash. */
export function sessionToken(sessionId: string): string {
  return PLAIN.test(sessionId) ? sessionId : `session-${sha256Hex(sessionId).slice(0, 12)}`;
}

/** The part of a token that stands in a capsule's name: its first eight characters, of a hash all of it. */
export function shortToken(token: string): string {
  return token.startsWith("session-") ? token : token.slice(0, 8);
}

/** The lock that at most one writer of a session holds. */
export function autosaveLock(tree: MemoryTree, token: string): string {
  return join(tree.locks, `autosave-${sha256Hex(token).slice(0, 32)}`);
}

/** How far a session's transcript was read, and what is known of it since. */
export function cursorPath(tree: MemoryTree, token: string): string {
  return join(tree.writers, `${token}.json`);
}
