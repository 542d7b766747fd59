import { createHash } from "node:crypto";

/** One entry of a tree object. */
export interface TreeEntry {
  mode: string;
  type: "blob" | "tree" | "commit";
  id: string;
  /** The bytes of the name, or of the path in a recursive listing, as Latin-1: git's names are bytes. */
  name: string;
}

/** What a repository names its objects by. */
export type ObjectFormat = "sha1" | "sha256";

/** An object that is to be written. */
export interface NewObject {
  type: "blob" | "tree" | "commit";
  bytes: Buffer;
}

/** What the repository of an object names its objects by. */
export function formatOf(id: string): ObjectFormat {
  return id.length === 64 ? "sha256" : "sha1";
}

/** The name that git gives an object. */
export function objectName({ type, bytes }: NewObject, format: ObjectFormat): string {
  return createHash(format).update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
}

/** As git sorts a tree: by the bytes of the names, a directory's as if a slash stood behind it. */
function sortedName({ type, name }: TreeEntry): string {
  return type === "tree" ? `${name}/` : name;
}

/** A tree of these entries, in whatever order they are given. */
export function treeObject(entries: readonly TreeEntry[]): NewObject {
  const sorted = entries
    .map((entry) => ({ entry, key: sortedName(entry) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const parts = sorted.flatMap(({ entry: { mode, id, name } }) => [
    // git's listings pad a mode, its trees do not.
    Buffer.from(`${mode.replace(/^0+/, "")} ${name}\0`, "latin1"),
    Buffer.from(id, "hex"),
  ]);
  return { type: "tree", bytes: Buffer.concat(parts) };
}

/** What a commit says beside who made it. */
export interface CommitContent {
  tree: string;
  parents: readonly string[];
  /** Its last newline included. */
  message: string;
  /** Seconds since the epoch. */
  at: number;
}

/** A commit by one person, author and committer, whose time is told in UTC. */
export function commitObject({ tree, parents, message, at }: CommitContent, signature: string): NewObject {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${signature} ${at} +0000`,
    `committer ${signature} ${at} +0000`,
  ];
  return { type: "commit", bytes: Buffer.from(`${lines.join("\n")}\n\n${message}`) };
}

const KINDS = { commit: 1, tree: 2, blob: 3 } as const;

/** Kind and length before an object in a pack: four bits of the length, then seven at a time, the lowest first. */
function entryHead({ type, bytes }: NewObject): Buffer {
  const head: number[] = [];
  let byte = (KINDS[type] << 4) | (bytes.length & 0x0f);
  for (let rest = Math.floor(bytes.length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Buffer.from([...head, byte]);
}

const ADLER = 65_521;
/** So many bytes can be added up before the sums must be brought back. */
const ADLER_STRIDE = 3_800;

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (let from = 0; from < bytes.length; from += ADLER_STRIDE) {
    const end = Math.min(bytes.length, from + ADLER_STRIDE);
    for (let index = from; index < end; index += 1) {
      low += bytes[index] ?? 0;
      high += low;
    }
    low %= ADLER;
    high %= ADLER;
  }
  return high * 65_536 + low;
}

const STORED = 65_535;

/** Bytes in zlib's form without compression: git compresses what it writes, and zlib need not be loaded. */
function stored(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x78, 0x01])];
  let from = 0;
  do {
    const chunk = bytes.subarray(from, from + STORED);
    from += chunk.length;
    const head = Buffer.alloc(5);
    head[0] = from >= bytes.length ? 1 : 0;
    head.writeUInt16LE(chunk.length, 1);
    head.writeUInt16LE(STORED - chunk.length, 3);
    parts.push(head, chunk);
  } while (from < bytes.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(adler32(bytes));
  return Buffer.concat([...parts, sum]);
}

/** Objects in the form in which git receives them: a pack, version 2. */
export function packOf(objects: readonly NewObject[], format: ObjectFormat): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const content = Buffer.concat([
    head,
    ...objects.flatMap((object) => [entryHead(object), stored(object.bytes)]),
  ]);
  return Buffer.concat([content, createHash(format).update(content).digest()]);
}
