import { decodeBytes, findBlock } from "./block.ts";
import type { Block, Span } from "./block.ts";
import { readList, readScalar } from "./scalar.ts";
import type { Scalar } from "./scalar.ts";
import { flatten } from "./quote.ts";

/** In Latin-1 only a line feed and a carriage return begin a line. */
const HEADING = /^#{1,6}[ \t]+([^\r\n]*)/gm;
const KEY = /^([^\s:#][^\s:]*):/gm;
const LINE_ENDS = /\r\n|\n|\r/;
const LONGEST_LIST = 10_000;

/** Where a key's line first begins: at the block's start, or behind a line feed or a lone carriage return. */
function lineOf(block: string, key: string): number {
  const head = `${key}:`;
  if (block.startsWith(head)) return 0;
  const fed = block.indexOf(`\n${head}`);
  const returned = block.includes("\r") ? block.indexOf(`\r${head}`) : -1;
  if (fed < 0 || (returned >= 0 && returned < fed)) return returned < 0 ? -1 : returned + 1;
  return fed + 1;
}

function lineEnd(block: string, from: number): number {
  const fed = block.indexOf("\n", from);
  const end = fed < 0 ? block.length : fed;
  const returned = block.indexOf("\r", from);
  return returned >= 0 && returned < end ? returned : end;
}

/**
 * A capsule's content, parted and ready to be asked for its values. It keeps the buffer that it was parsed
 * from: who uses that buffer again must have asked before.
 */
export class CapsuleDocument {
  readonly #bytes: Buffer;
  readonly #length: number;
  readonly #place: Block;
  /** The front matter as Latin-1. */
  readonly #block: string;

  private constructor(bytes: Buffer, length: number, place: Block) {
    this.#bytes = bytes;
    this.#length = length;
    this.#place = place;
    this.#block = bytes.toString("latin1", place.start, place.end);
  }

  /**
   * Parts a file's bytes.
   *
   * @param length how many of the bytes are the file's; all when absent.
   * @returns undefined when they do not begin with front matter.
   */
  static parse(bytes: Buffer, length: number = bytes.length): CapsuleDocument | undefined {
    const place = findBlock(bytes, length);
    return place === undefined ? undefined : new CapsuleDocument(bytes, length, place);
  }

  /** The rest of a key's first line, within the block; later duplicates are ignored. */
  #rest(key: string): Span | undefined {
    const line = lineOf(this.#block, key);
    if (line < 0) return undefined;
    const start = line + key.length + 1;
    return { start, end: lineEnd(this.#block, start) };
  }

  #text({ start, end }: Span): string {
    return decodeBytes(this.#block.slice(start, end));
  }

  /** The value of a key; undefined where the key is absent. */
  scalar(key: string): Scalar | undefined {
    const rest = this.#rest(key);
    return rest === undefined ? undefined : readScalar(this.#text(rest));
  }

  /** The value as text: empty where the key is absent, has no value, or says so by `null`, `~`, `|` or `>`. */
  text(key: string): string {
    const scalar = this.scalar(key);
    return scalar === undefined || scalar.nothing ? "" : scalar.text;
  }

  /** Where the token of a key stands in the file's bytes, without blanks, comment and line end. */
  tokenSpan(key: string): Span | undefined {
    const rest = this.#rest(key);
    if (rest === undefined) return undefined;
    const text = this.#text(rest);
    const { token, tokenStart } = readScalar(text);
    // Before the token stand only blanks, which decode to what they encode to.
    const start = this.#place.start + rest.start + Buffer.byteLength(text.slice(0, tokenStart));
    return { start, end: start + Buffer.byteLength(token) };
  }

  /** The keys of the front matter in their order, each once. */
  keys(): string[] {
    return [...new Set([...this.#block.matchAll(KEY)].map((match) => decodeBytes(match[1] ?? "")))];
  }

  /** The list under a key; its name is found in any letter case (capsules.md 1.3). */
  list(key: string): string[] {
    const spelled = this.keys().find((candidate) => candidate.toLowerCase() === key.toLowerCase());
    const rest = spelled === undefined ? undefined : this.#rest(spelled);
    if (rest === undefined) return [];
    const below = this.#block.slice(rest.end).replace(/^(?:\r\n|\n|\r)/, "");
    return readList(this.#text(rest), below.split(LINE_ENDS, LONGEST_LIST).map(decodeBytes));
  }

  /** How many bytes were parsed. */
  get size(): number {
    return this.#length;
  }

  /** Where the front matter and the body stand in the file's bytes. */
  get place(): Block {
    return this.#place;
  }

  #bodyBytes(): string {
    return this.#bytes.toString("latin1", this.#place.bodyStart, this.#length);
  }

  /** The text after the front matter. */
  body(): string {
    return decodeBytes(this.#bodyBytes());
  }

  /**
   * The section of the body whose heading is a key's name (capsules.md 1.4), on one line; empty where there is
   * none, or nothing in it.
   */
  section(key: string): string {
    // Most bodies that are asked have no heading at all.
    const mark = this.#bytes.indexOf("#", this.#place.bodyStart);
    if (mark < 0 || mark >= this.#length) return "";
    const body = this.#bodyBytes();
    let start: number | undefined;
    for (const match of body.matchAll(HEADING)) {
      if (start !== undefined) return flatten(decodeBytes(body.slice(start, match.index)));
      const named = (match[1] ?? "").replace(/[ \t]+$/, "").replaceAll(" ", "_");
      if (named.toLowerCase() === key) start = match.index + match[0].length;
    }
    return start === undefined ? "" : flatten(decodeBytes(body.slice(start)));
  }

  /** A value from the front matter, else from the body; a quoted blank is a value, and no section replaces it. */
  value(key: string): string {
    const scalar = this.scalar(key);
    if (scalar !== undefined && !scalar.nothing && scalar.text !== "") return scalar.text;
    return this.section(key);
  }

  /** The file's bytes with one span of them replaced; every other byte stays. */
  replaced({ start, end }: Span, text: string): Buffer {
    return Buffer.concat([
      this.#bytes.subarray(0, start),
      Buffer.from(text),
      this.#bytes.subarray(end, this.#length),
    ]);
  }
}
