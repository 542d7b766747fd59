import { inert } from "../text/inert.ts";

/** How many characters of a value are shown where nothing else is said. */
const SHOWN_CHARACTERS = 500;

const BREAKING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const BLANKS = /[ \t]+/g;

/** Every character that could end a line or steer a terminal becomes a blank; blanks collapse (capsules.md 4). */
export function flatten(text: string): string {
  return text.replaceAll(BREAKING, " ").replaceAll(BLANKS, " ").trim();
}

/** One character as it stands between the quotes: escaped where JSON does, visible where it would hide. */
function shown(character: string): string {
  return inert(JSON.stringify(character).slice(1, -1));
}

export interface QuoteBounds {
  /** Most UTF-8 bytes of the shown text; unbounded when absent. */
  bytes?: number;
}

/**
 * Quotes a value that came off a disk for a text that a worker reads: always one line, always between
 * double quotes, never more than `maximum` characters as shown, and what was cut off is announced with its
 * number of characters. Nothing in it can hide, reorder or end the line that we began.
 */
export function quoteValue(
  value: string | null | undefined,
  maximum: number = SHOWN_CHARACTERS,
  bounds: QuoteBounds = {},
): string {
  const text = flatten(value ?? "");
  const most = bounds.bytes ?? Number.POSITIVE_INFINITY;
  let kept = "";
  let length = 0;
  let bytes = 0;
  let taken = 0;
  for (const character of text) {
    const piece = shown(character);
    length += piece.length === character.length ? 1 : piece.length;
    bytes += Buffer.byteLength(piece);
    if (length > maximum || bytes > most) break;
    kept += piece;
    taken += character.length;
  }
  const left = taken === text.length ? 0 : Array.from(text.slice(taken)).length;
  return `"${kept}${left === 0 ? "" : `…[+${left} chars]`}"`;
}
