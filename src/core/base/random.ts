import { randomBytes } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** Where randomness comes from. Passed in like time, so that ids can be repeated in a test. */
export interface Random {
  /** `bytes` random bytes as lowercase hex. */
  hex(bytes: number): string;
}

const STOCK_BYTES = 256;

let stock: Buffer = Buffer.alloc(0);

/** Read where the system offers it: to load Node's crypto costs a hook several milliseconds. */
function refill(atLeast: number): Buffer {
  const bytes = Buffer.alloc(Math.max(STOCK_BYTES, atLeast));
  let device: number | undefined;
  try {
    device = openSync("/dev/urandom", "r");
    if (readSync(device, bytes) === bytes.length) return bytes;
  } catch {
    // A system, or a sandbox, without the device.
  } finally {
    if (device !== undefined) closeSync(device);
  }
  return randomBytes(bytes.length);
}

/** So many random bytes of the operating system, as lowercase hex. */
export function randomHex(bytes: number): string {
  if (stock.length < bytes) stock = refill(bytes);
  const drawn = stock.toString("hex", 0, bytes);
  stock = stock.subarray(bytes);
  return drawn;
}

/** The operating system's randomness. */
export const systemRandom: Random = { hex: randomHex };
