/**
 * SHA-256 without Node's crypto, which costs a process several milliseconds to load. It serves short names on
 * the path of hooks that fire hundreds of times a day; everything else uses `sha256Hex`. A property test
 * holds it to Node's own.
 */

const ROUNDS = 64;
const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of the first primes: the standard's constants. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const words = new Uint32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) prime &&= candidate % divisor !== 0;
    if (!prime) continue;
    const value = root(candidate);
    words[found] = Math.floor((value - Math.floor(value)) * 2 ** 32);
    found += 1;
  }
  return words;
}

let constants: { initial: Uint32Array; round: Uint32Array } | undefined;

function padded(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const message = new Uint8Array(length);
  message.set(bytes);
  message[bytes.length] = 0x80;
  new DataView(message.buffer).setUint32(length - 4, bytes.length * 8);
  return message;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function schedule(view: DataView, offset: number, words: Uint32Array): void {
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
  for (let index = 16; index < ROUNDS; index += 1) {
    const [early, late] = [words[index - 15] ?? 0, words[index - 2] ?? 0];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
}

function compress(state: Uint32Array, words: Uint32Array, round: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < ROUNDS; index += 1) {
    const upper = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + upper + choice + (round[index] ?? 0) + (words[index] ?? 0)) | 0;
    const lower = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + lower + majority) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value;
}

/** Lowercase hex SHA-256 of a short text in UTF-8, at most 256 MiB. */
export function lightSha256(text: string): string {
  constants ??= { initial: fractions(8, Math.sqrt), round: fractions(ROUNDS, Math.cbrt) };
  const message = padded(Buffer.from(text, "utf8"));
  const view = new DataView(message.buffer);
  const state = Uint32Array.from(constants.initial);
  const words = new Uint32Array(ROUNDS);
  for (let offset = 0; offset < message.length; offset += BLOCK) {
    schedule(view, offset, words);
    compress(state, words, constants.round);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}
