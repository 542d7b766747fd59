import { fstatSync, writeSync } from "node:fs";
import { errnoOf, reasonOf } from "../core/base/error.ts";
import type { Sink } from "./output.ts";

/** How long a pipe that is full and does not block is left alone before the next try, in milliseconds. */
const FULL_PIPE_PAUSE = 2;

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE);
}

/**
 * Writes to a file descriptor at once and whole. Node's own stream of standard output would cost a short
 * command as much as everything else that it does, and is synchronous here as well.
 */
export function descriptorSink(descriptor: number): Sink {
  let fault: string | undefined;
  return {
    fault: () => fault,
    write: (text) => {
      const bytes = Buffer.from(text, "utf8");
      let written = 0;
      while (written < bytes.length) {
        try {
          written += writeSync(descriptor, bytes, written);
        } catch (error) {
          const errno = errnoOf(error);
          if (errno !== "EAGAIN") {
            // Who closed the pipe has read enough; everything else lost an answer that was asked for.
            if (errno !== "EPIPE") fault = reasonOf(error);
            return false;
          }
          pause();
        }
      }
      return true;
    },
  };
}

/** Columns of the terminal on standard output; undefined where it is none. */
export function terminalWidth(): number | undefined {
  try {
    // Asked of the descriptor first: the stream is only opened for a terminal.
    return fstatSync(1).isCharacterDevice() ? process.stdout.columns : undefined;
  } catch {
    return undefined;
  }
}
