import { fstatSync, writeSync } from "node:fs";
import { elapsedMilliseconds } from "../core/base/elapsed.ts";
import { errnoOf, reasonOf } from "../core/base/error.ts";
import { waitOn } from "./descriptor-wait.ts";

/** How long a provider that reads nothing is waited for, in milliseconds. */
const PATIENCE = 1000;

/**
 * Writes what a provider is told. A pipe that nobody reads is given up after a while: a hook never hangs.
 *
 * @param patience milliseconds.
 * @returns what kept the text from arriving: a provider that no longer listens, a full disk; undefined where it arrived.
 */
export function writeOutput(
  descriptor: number,
  text: string,
  patience: number = PATIENCE,
): string | undefined {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length === 0) return undefined;
  try {
    const stats = fstatSync(descriptor);
    const wait = stats.isFIFO() || stats.isSocket() ? waitOn(descriptor, "write") : undefined;
    const deadline = elapsedMilliseconds() + patience;
    for (let written = 0; written < bytes.length;) {
      const left = deadline - elapsedMilliseconds();
      if (wait?.(left) === false) {
        if (left > 0) continue;
        return `nobody read it within ${patience} ms`;
      }
      written += writeSome(descriptor, bytes.subarray(written));
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** @returns how many bytes were taken, which is none where another writer was faster. */
function writeSome(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (errnoOf(error) === "EAGAIN") return 0;
    throw error;
  }
}
