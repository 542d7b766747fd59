import { MemberCursor } from "./grammar.ts";
import type { ValueKind } from "./grammar.ts";

/** What a ledger line can hold. Objects have no prototype: a key may be `__proto__`. */
export type LedgerValue = string | number | boolean | null | LedgerValue[] | { [key: string]: LedgerValue };

/** The key under the cursor as text. */
export function memberKey(cursor: MemberCursor): string {
  return decodeText(cursor.buffer, cursor.keyStart, cursor.keyEnd, cursor.keyEscaped);
}

/** The value under the cursor as data. */
export function memberValue(cursor: MemberCursor): LedgerValue {
  return decodeValue(cursor.buffer, cursor.valueStart, cursor.valueEnd, cursor.kind);
}

/** Whether key and string stand as `"key":"`, without blanks: the original finds `ts` and `event` by these bytes. */
export function isTight(cursor: MemberCursor): boolean {
  return cursor.valueStart - cursor.keyEnd === '":"'.length;
}

/** A span of bytes as text, its escapes read where it has any. */
export function decodeText(buffer: Buffer, start: number, end: number, escaped: boolean): string {
  const text = buffer.toString("utf8", start, end);
  return escaped ? readEscapes(text) : text;
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([^]))/g;
const BLANK_ESCAPES: ReadonlySet<string> = new Set(["n", "t", "r", "b", "f"]);

/**
 * Reads escapes as the original does: `\n`, `\t` and `\r` become a blank, any other character stands for
 * itself. Beyond it, `\uXXXX` is decoded, since other JSON writers produce that.
 */
function readEscapes(text: string): string {
  return text.replaceAll(ESCAPE, (_, code: string | undefined, letter: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return letter !== undefined && BLANK_ESCAPES.has(letter) ? " " : (letter ?? "");
  });
}

function decodeValue(buffer: Buffer, start: number, end: number, kind: ValueKind): LedgerValue {
  if (kind === "text" || kind === "escaped") return decodeText(buffer, start, end, kind === "escaped");
  if (kind === "scalar") return decodeBareWord(buffer.toString("utf8", start, end));
  const cursor = new MemberCursor().aim(buffer, start, end);
  return buffer[start] === 0x7b ? collectObject(cursor) : collectArray(cursor);
}

const WORDS: ReadonlyMap<string, LedgerValue> = new Map<string, LedgerValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function decodeBareWord(text: string): LedgerValue {
  const word = WORDS.get(text);
  return word === undefined ? Number(text) : word;
}

/** The first occurrence of a key counts, at every depth. */
function collectObject(cursor: MemberCursor): LedgerValue {
  const object = Object.create(null) as { [key: string]: LedgerValue };
  while (cursor.next()) {
    const key = memberKey(cursor);
    if (!(key in object)) object[key] = memberValue(cursor);
  }
  return object;
}

function collectArray(cursor: MemberCursor): LedgerValue {
  const elements: LedgerValue[] = [];
  while (cursor.next()) elements.push(memberValue(cursor));
  return elements;
}
