import { join, sep } from "node:path";
import { listDirectory } from "../../fs/read.ts";
import { CapsuleDocument } from "../document.ts";
import { readCapsule } from "../files.ts";
import type { MemoryTree } from "../memory-tree.ts";
import { parseStamp } from "../stamp.ts";
import { readCursor } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { isOwn } from "./merge.ts";
import { isNamedFor, shortToken, tokenHash } from "./session-token.ts";

/** A name that is one part of a path and a candidate of the capsules directory. */
const PLAIN_NAME = /^[^/\\\0]+\.md$/i;

/** The name that a cursor gives its capsule: ours, or the original's path when it lies in the directory itself. */
export function nameInCursor(tree: MemoryTree, { capsule, capsulePath }: Cursor): string | undefined {
  const inside = `${tree.capsules}${sep}`;
  const own = capsulePath?.startsWith(inside) === true ? capsulePath.slice(inside.length) : undefined;
  const name = capsule ?? own;
  return name !== undefined && PLAIN_NAME.test(name) && name !== ".md" ? name : undefined;
}

/** Whether a cursor names a capsule that lies elsewhere: it is refused, and that is worth a line in the log. */
export function leadsElsewhere(tree: MemoryTree, cursor: Cursor): boolean {
  return (cursor.capsule ?? cursor.capsulePath) !== undefined && nameInCursor(tree, cursor) === undefined;
}

/** Whether another session with the same first characters writes into this file. */
function isAnothers(tree: MemoryTree, name: string, token: string): boolean {
  const short = shortToken(token);
  return listDirectory(tree.writers)
    .filter((entry) => entry.endsWith(".json") && entry.startsWith(short) && entry !== `${token}.json`)
    .some((entry) => {
      const cursor = readCursor(tree, entry.slice(0, -".json".length));
      return cursor.ok && cursor.value !== undefined && nameInCursor(tree, cursor.value) === name;
    });
}

/** An autosave that only a cursor has forgotten: ours by its fields, and no other session's. */
function readForgotten(
  tree: MemoryTree,
  name: string,
  token: string,
): { bytes: Buffer; document: CapsuleDocument } | undefined {
  const bytes = readCapsule(join(tree.capsules, name));
  const document = bytes.ok ? CapsuleDocument.parse(bytes.value) : undefined;
  if (!bytes.ok || document === undefined || !isOwn(document)) return undefined;
  return isAnothers(tree, name, token) ? undefined : { bytes: bytes.value, document };
}

/** Whether a session may go on with a capsule that its cursor does not name. */
export function isForgotten(tree: MemoryTree, name: string, token: string): boolean {
  return readForgotten(tree, name, token)?.document.text("status") === "active";
}

/** A capsule of a session whose cursor is lost. */
export interface OwnCapsule {
  name: string;
  /** Its text behind the front matter, in Latin-1. */
  body: string;
}

/** Every capsule that a session wrote, the newest last: found by name and fields, where its cursor is lost. */
export function ownCapsules(tree: MemoryTree, token: string): OwnCapsule[] {
  return listDirectory(tree.capsules)
    .filter((name) => isNamedFor(name, token))
    .flatMap((name) => {
      const own = readForgotten(tree, name, token);
      if (own === undefined) return [];
      const { bytes, document } = own;
      const created = parseStamp(document.text("created_at")) ?? 0;
      return [{ name, created, body: bytes.toString("latin1", document.place.bodyStart) }];
    })
    .toSorted((one, other) => one.created - other.created || one.name.length - other.name.length)
    .map(({ name, body }) => ({ name, body }));
}

/** More capsules of one session than anybody has in a day. */
const MOST_NUMBERS = 1000;

/** The number that `before` has among the capsules of a stem; undefined when it is none of them. */
function numberIn(stem: string, before: string | undefined): number | undefined {
  const rest = before?.startsWith(stem) === true ? before.slice(stem.length) : undefined;
  const match = rest === undefined ? null : /^(?:-(\d{1,4}))?\.md$/i.exec(rest);
  return match === null ? undefined : Number(match[1] ?? 1);
}

/**
 * Names for a session's new capsule, the wanted ones first (capsules.md 1.1, decisions.md 6): the date and the
 * beginning of its id; the same with a hash of the whole id, where another session has that name; the next number,
 * once its former one was spent.
 *
 * @param now milliseconds since the epoch; the date is UTC's.
 * @param before the capsule that this session wrote until now, which cannot be continued.
 */
export function* namesFor(
  token: string,
  now: number,
  before: string | undefined,
): Generator<string, undefined> {
  const stem = `${new Date(now).toISOString().slice(0, 10)}-auto-${shortToken(token)}`;
  const hashed = `${stem}-${tokenHash(token)}`;
  const plain = numberIn(stem, before);
  const base = plain === undefined ? hashed : stem;
  const number = plain ?? numberIn(hashed, before);
  if (number === undefined) {
    yield `${stem}.md`;
    yield `${hashed}.md`;
  }
  for (let next = Math.max(2, (number ?? 1) + 1); next <= MOST_NUMBERS; next += 1) yield `${base}-${next}.md`;
}
