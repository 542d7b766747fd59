import { randomBytes } from "node:crypto";

/** Where randomness comes from. Passed in like time, so that ids can be repeated in a test. */
export interface Random {
  /** `bytes` random bytes as lowercase hex. */
  hex(bytes: number): string;
}

/** The operating system's randomness. */
export const systemRandom: Random = { hex: (bytes) => randomBytes(bytes).toString("hex") };
