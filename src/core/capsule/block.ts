/** Where something stands in a capsule's bytes. */
export interface Span {
  start: number;
  end: number;
}

/** The front matter block of a file, without its fences, and where the body begins. */
export interface Block extends Span {
  bodyStart: number;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DASH = 0x2d;
const FENCE = Buffer.from("\n---");

function skipBlanks(bytes: Buffer, from: number): number {
  let index = from;
  while (bytes[index] === 0x20 || bytes[index] === 0x09) index += 1;
  return index;
}

/** The offset behind a line feed, or behind CR and LF, that stands at `index`; -1 where none does. */
function afterLineEnd(bytes: Buffer, index: number): number {
  if (bytes[index] === NEWLINE) return index + 1;
  return bytes[index] === CARRIAGE_RETURN && bytes[index + 1] === NEWLINE ? index + 2 : -1;
}

/**
 * Finds the front matter block of a capsule (capsules.md 1.2): a mark at most, three dashes, blanks, a line end;
 * at least one line; three dashes on a line of their own. Everything that counts is ASCII, so that places are
 * bytes, invalid UTF-8 stays what it is, and U+2028 ends no line.
 *
 * @param length how many of the bytes count.
 */
export function findBlock(bytes: Buffer, length: number): Block | undefined {
  const first = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes[first] !== DASH || bytes[first + 1] !== DASH || bytes[first + 2] !== DASH) return undefined;
  const start = afterLineEnd(bytes, skipBlanks(bytes, first + 3));
  if (start < 0) return undefined;
  for (let fence = bytes.indexOf(FENCE, start); fence >= 0; fence = bytes.indexOf(FENCE, fence + 1)) {
    if (fence + FENCE.length > length) return undefined;
    const behind = Math.min(length, skipBlanks(bytes, fence + FENCE.length));
    const bodyStart = behind === length ? behind : afterLineEnd(bytes, behind);
    if (bodyStart < 0 || bodyStart > length) continue;
    const end = fence > start && bytes[fence - 1] === CARRIAGE_RETURN ? fence - 1 : fence;
    return { start, end, bodyStart };
  }
  return undefined;
}

const NOT_ASCII = /[\x80-\xff]/;

/** Text of Latin-1 characters that stand for bytes; what is not UTF-8 becomes U+FFFD. */
export function decodeBytes(bytes: string): string {
  return NOT_ASCII.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}
