const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** The three bytes of a UTF-8 byte order mark, which may stand before the value. */
const MARK = [0xef, 0xbb, 0xbf];
/** A code unit that means nothing to JSON's structure. */
const OTHER = 0xffff;

type Phase = "before" | "inside" | "word" | "done";

/**
 * Finds where the first JSON value of a byte stream ends, looking at every byte once, so that a reader
 * need not wait for the end of a stream that nobody closes. It follows brackets and strings only; whether
 * the value is good JSON is for a parser to say. UTF-8 and both kinds of UTF-16 are understood.
 */
export class JsonBoundary {
  #phase: Phase = "before";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #head: number[] | undefined = [];
  #wide: "no" | "little" | "big" = "no";
  #half: number | undefined;

  /**
   * Takes the next bytes of the stream.
   *
   * @returns how many bytes of this chunk belong to the value, once it is complete; else undefined.
   */
  push(chunk: Uint8Array): number | undefined {
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.#inString && !this.#escaped && this.#wide === "no") index = this.#skipText(chunk, index);
      if (index < chunk.length) this.#take(chunk[index] ?? 0);
      if (this.#phase === "done") return index + 1;
    }
    return undefined;
  }

  /** What the stream amounts to when nothing more will come. A lone word (`null`) is complete only now. */
  end(): "blank" | "incomplete" | "complete" {
    for (const held of this.#head ?? []) this.#unit(held);
    this.#head = undefined;
    if (this.#phase === "before") return "blank";
    return this.#phase === "inside" ? "incomplete" : "complete";
  }

  #skipText(chunk: Uint8Array, from: number): number {
    let index = from;
    while (index < chunk.length && chunk[index] !== QUOTE && chunk[index] !== BACKSLASH) index += 1;
    return index;
  }

  /** The first bytes are held until two of them show how wide a code unit is. */
  #take(byte: number): void {
    if (this.#head === undefined) return this.#unit(byte);
    this.#head.push(byte);
    if (this.#head.length < 2) return;
    const head = this.#head;
    this.#head = undefined;
    this.#wide = widthOf(head[0] ?? 0, head[1] ?? 0);
    for (const held of head) this.#unit(held);
  }

  #unit(byte: number): void {
    if (this.#wide === "no") return this.#step(byte);
    if (this.#half === undefined) {
      this.#half = byte;
      return;
    }
    const [high, low] = this.#wide === "big" ? [this.#half, byte] : [byte, this.#half];
    this.#half = undefined;
    this.#step(high === 0 ? low : OTHER);
  }

  #step(unit: number): void {
    if (this.#phase === "inside") return this.#inside(unit);
    if (this.#phase === "word") {
      if (BLANK.has(unit)) this.#phase = "done";
      return;
    }
    if (BLANK.has(unit) || MARK.includes(unit) || unit === OTHER) return;
    if (OPENING.has(unit) || unit === QUOTE) {
      this.#phase = "inside";
      this.#inside(unit);
    } else {
      this.#phase = "word";
    }
  }

  #inside(unit: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (unit === BACKSLASH) this.#escaped = true;
      else if (unit === QUOTE) this.#inString = false;
    } else if (unit === QUOTE) this.#inString = true;
    else if (OPENING.has(unit)) this.#depth += 1;
    else if (CLOSING.has(unit)) this.#depth -= 1;
    if (this.#depth === 0 && !this.#inString) this.#phase = "done";
  }
}

function widthOf(first: number, second: number): "no" | "little" | "big" {
  if (first === 0xff && second === 0xfe) return "little";
  if (first === 0xfe && second === 0xff) return "big";
  if (first === 0 && second !== 0) return "big";
  if (second === 0 && first !== 0) return "little";
  return "no";
}
