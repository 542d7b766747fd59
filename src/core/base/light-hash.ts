/**
 * SHA-256 without Node's crypto, which costs a process several milliseconds to load. It serves short texts on
 * the path of hooks that fire hundreds of times a day; longer ones are for `sha256Hex`. A property test holds
 * it to Node's own.
 */

const ROUNDS = 64;
const BLOCK = 64;

/** The standard's constants: the first 32 bits of the fractional parts of roots of the first primes. */
// oxfmt-ignore
const INITIAL: readonly number[] = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
// oxfmt-ignore
const ROUND: readonly number[] = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

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

function schedule(view: DataView, offset: number, words: Int32Array): void {
  for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(offset + index * 4);
  for (let index = 16; index < ROUNDS; index += 1) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
}

// Without an array for each round: a hook ends before anything of this is compiled for speed.
function compress(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < ROUNDS; index += 1) {
    const upper = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + upper + choice + (ROUND[index] ?? 0) + (words[index] ?? 0)) | 0;
    const lower = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + lower + majority) | 0;
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value;
}

/** Lowercase hex SHA-256 of a short text in UTF-8, at most 256 MiB. */
export function lightSha256(text: string): string {
  const message = padded(Buffer.from(text, "utf8"));
  const view = new DataView(message.buffer);
  const state = Int32Array.from(INITIAL);
  const words = new Int32Array(ROUNDS);
  for (let offset = 0; offset < message.length; offset += BLOCK) {
    schedule(view, offset, words);
    compress(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
