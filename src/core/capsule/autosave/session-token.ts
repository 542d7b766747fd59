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

/** What tells two sessions apart whose ids begin alike. */
export function tokenHash(token: string): string {
  return sha256Hex(token).slice(0, 12);
}

const DATED = /^\d{4}-\d{2}-\d{2}-auto-(.+)[.]md$/i;
/** The number of a session's capsule of one day, from the second on. */
const NUMBER = /^(?:-\d{1,4})?$/;

/** Whether an autosave's name is one that this session gives; another whose id begins alike may have given it too. */
export function isNamedFor(name: string, token: string): boolean {
  const short = shortToken(token).toLowerCase();
  const named = DATED.exec(name)?.[1]?.toLowerCase();
  if (named?.startsWith(short) !== true) return false;
  const rest = named.slice(short.length);
  const hash = `-${tokenHash(token)}`;
  return NUMBER.test(rest) || (rest.startsWith(hash) && NUMBER.test(rest.slice(hash.length)));
}

/** The lock that at most one writer of a session holds. */
export function autosaveLock(tree: MemoryTree, token: string): string {
  return join(tree.locks, `autosave-${sha256Hex(token).slice(0, 32)}`);
}

/** How far a session's transcript was read, and what is known of it since. */
export function cursorPath(tree: MemoryTree, token: string): string {
  return join(tree.writers, `${token}.json`);
}
