import type { Readable } from "node:stream";
import { EXIT, MajordomusError } from "../core/base/error.ts";
import { usageError } from "./failure.ts";

/** Standard input, or anything else that a body can be read from. */
export type BodySource = Readable & { isTTY?: boolean };

/** No body is larger. */
export const MAXIMUM_BODY_BYTES: number = 1024 * 1024;

export interface BodyOptions {
  /**
   * How long to wait for the first byte of a body that may be absent: a caller that leaves a pipe open
   * behind us would otherwise hold the command for ever. Without it, the end of the input is awaited.
   */
  patienceMilliseconds?: number;
  /** What it is called where it cannot be taken. @default "standard input" */
  source?: string;
}

/**
 * Reads a body from standard input: UTF-8, at most 1 MiB. A terminal gives none: nobody is asked to type.
 *
 * @returns the text, empty when there was none; undefined when the patience ran out before any byte came.
 * @throws MajordomusError 2 for a body that is too large or not UTF-8.
 */
export async function readBody(stdin: BodySource, options: BodyOptions = {}): Promise<string | undefined> {
  if (stdin.isTTY === true) return "";
  const { patienceMilliseconds, source = "standard input" } = options;
  const bytes = await readBytes(stdin, patienceMilliseconds, source);
  return bytes === undefined ? undefined : bodyText(bytes, source);
}

/**
 * The text of a body.
 *
 * @param source where it came from, for whoever is told.
 * @throws MajordomusError 2 where it is not UTF-8.
 */
export function bodyText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError({ subject: source, message: "is not UTF-8 text" });
  }
}

/** How long a body that nobody asked for is listened for, in milliseconds: whoever pipes one has begun by then. */
const UNASKED_PATIENCE = 100;

/**
 * Refuses a body that would be passed over, and waits for none: an input that is empty, silent or a terminal is fine, and so
 * is the payload of a hook, a JSON object.
 *
 * @param instead what takes the body's place: the option that was given.
 * @throws MajordomusError 2 where something but blanks comes.
 */
export async function refuseBody(stdin: BodySource, instead: string): Promise<void> {
  if (stdin.isTTY === true || !(await saysSomething(stdin))) return;
  throw usageError({
    subject: "standard input",
    message: `holds a body, and ${instead} makes one: they exclude each other`,
    remedy: `leave ${instead} out, or give no input (\`< /dev/null\`)`,
  });
}

function saysSomething(stdin: BodySource): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (said: boolean): void => {
      clearTimeout(timer);
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd);
      // The last ones to fail are of no interest to anybody any more.
      stdin.on("error", () => undefined);
      stdin.pause();
      stdin.destroy();
      resolve(said);
    };
    const onData = (chunk: Buffer): void => {
      const [first] = chunk.toString("latin1").trimStart();
      // A tool that runs this as its hook pipes its payload in; no body of a record begins like that.
      if (first !== undefined) settle(first !== "{");
    };
    const onEnd = (): void => settle(false);
    const timer = setTimeout(onEnd, UNASKED_PATIENCE);
    stdin.on("data", onData).on("end", onEnd).on("error", onEnd);
  });
}

function readBytes(
  stdin: BodySource,
  patience: number | undefined,
  source: string,
): Promise<Buffer | undefined> {
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
      if (size > MAXIMUM_BODY_BYTES) {
        settle(() => reject(usageError({ subject: source, message: `is over ${MAXIMUM_BODY_BYTES} bytes` })));
      }
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const onError = (cause: Error): void =>
      settle(() =>
        reject(
          new MajordomusError({
            code: "stdin.unreadable",
            exit: EXIT.internal,
            subject: source,
            message: cause.message,
            cause,
          }),
        ),
      );
    stdin.on("data", onData).on("end", onEnd).on("error", onError);
  });
}
