import type { Readable } from "node:stream";
import { EXIT, MajordomusError } from "../core/base/error.ts";
import { usageError } from "./failure.ts";

/** Standard input, or anything else that a body can be read from. */
export type BodySource = Readable & { isTTY?: boolean };

const MAXIMUM_BYTES = 1024 * 1024;

export interface BodyOptions {
  /**
   * How long to wait for the first byte of a body that may be absent: a caller that leaves a pipe open
   * behind us would otherwise hold the command for ever. Without it, the end of the input is awaited.
   */
  patienceMilliseconds?: number;
}

/**
 * Reads a body from standard input: UTF-8, at most 1 MiB. A terminal gives none: nobody is asked to type.
 *
 * @returns the text, empty when there was none; undefined when the patience ran out before any byte came.
 * @throws MajordomusError 2 for a body that is too large or not UTF-8.
 */
export async function readBody(stdin: BodySource, options: BodyOptions = {}): Promise<string | undefined> {
  if (stdin.isTTY === true) return "";
  const bytes = await readBytes(stdin, options.patienceMilliseconds);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError({ subject: "standard input", message: "is not UTF-8 text" });
  }
}

function readBytes(stdin: BodySource, patience: number | undefined): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer =
      patience === undefined ? undefined : setTimeout(() => settle(() => resolve(undefined)), patience);
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      stdin.off("data", onData).off("end", onEnd).off("error", onError);
      stdin.pause();
      // A pipe that stays open must not keep a finished command alive.
      stdin.destroy();
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      clearTimeout(timer);
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAXIMUM_BYTES) {
        settle(() =>
          reject(usageError({ subject: "standard input", message: `is over ${MAXIMUM_BYTES} bytes` })),
        );
      }
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const onError = (cause: Error): void =>
      settle(() =>
        reject(
          new MajordomusError({
            code: "stdin.unreadable",
            exit: EXIT.internal,
            subject: "standard input",
            message: cause.message,
            cause,
          }),
        ),
      );
    stdin.on("data", onData).on("end", onEnd).on("error", onError);
  });
}
