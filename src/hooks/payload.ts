import { fstatSync, readSync, type Stats } from "node:fs";
import { Socket } from "node:net";
import { isatty } from "node:tty";
import { errnoOf, reasonOf } from "../core/base/error.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import { JsonBoundary } from "./json-boundary.ts";

/** A hook's input: a JSON object whose every value may be an attack. */
export type Payload = Readonly<Record<string, unknown>>;

export interface RawPayload {
  /** The first JSON value of the input, decoded. */
  text: string;
  /** The same as it came. */
  bytes: Buffer;
}

export interface PayloadLimits {
  deadlineMilliseconds: number;
  maximumBytes: number;
}

/** providers.md 12.3. */
export const PAYLOAD_LIMITS: PayloadLimits = { deadlineMilliseconds: 1000, maximumBytes: 8 * 1024 * 1024 };

/**
 * Reads one JSON value from a descriptor. It never waits for the end of the input: it answers as soon as one
 * value is complete, or the input ends, or the deadline (milliseconds) has passed. A descriptor that is closed,
 * a terminal or a device is not read at all. The descriptor stays open, so that a writer with more to say
 * is not told that nobody listens.
 *
 * @returns the value's text and bytes, or one line that says why there is none.
 */
export function readPayload(
  descriptor: number,
  limits: PayloadLimits = PAYLOAD_LIMITS,
): Promise<Result<RawPayload, string>> {
  let stats: Stats;
  try {
    stats = fstatSync(descriptor);
  } catch (error) {
    const reason = errnoOf(error) === "EBADF" ? "standard input is closed" : reasonOf(error);
    return Promise.resolve(failed(reason));
  }
  if (stats.isFIFO() || stats.isSocket()) return readStream(descriptor, limits);
  if (stats.isFile()) return Promise.resolve(readFile(descriptor, limits));
  return Promise.resolve(failed(`standard input is ${kindOf(descriptor, stats)}, not a payload`));
}

function kindOf(descriptor: number, stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  return isatty(descriptor) ? "a terminal" : "a device";
}

/** What has been read so far, and where its first value ends. */
class Intake {
  readonly #chunks: Buffer[] = [];
  readonly #boundary = new JsonBoundary();
  readonly #maximumBytes: number;
  #size = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** @returns the answer, once there is one. */
  take(chunk: Buffer): Result<RawPayload, string> | undefined {
    const end = this.#boundary.push(chunk);
    this.#chunks.push(end === undefined ? chunk : chunk.subarray(0, end));
    this.#size += end ?? chunk.length;
    if (this.#size > this.#maximumBytes) return failed(`payload is larger than ${this.#maximumBytes} bytes`);
    return end === undefined ? undefined : this.#whole();
  }

  /** The answer when no more will come. */
  end(why: string): Result<RawPayload, string> {
    const state = this.#boundary.end();
    if (state === "complete") return this.#whole();
    if (state === "blank") return failed(`payload is empty (${why})`);
    return failed(`payload is incomplete after ${this.#size} bytes (${why})`);
  }

  #whole(): Result<RawPayload, string> {
    const bytes = Buffer.concat(this.#chunks);
    return ok({ text: decodeText(bytes), bytes });
  }
}

function readFile(descriptor: number, limits: PayloadLimits): Result<RawPayload, string> {
  const intake = new Intake(limits.maximumBytes);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const count = readSync(descriptor, chunk, 0, chunk.length, null);
      if (count === 0) return intake.end("end of input");
      const answer = intake.take(chunk.subarray(0, count));
      if (answer !== undefined) return answer;
    }
  } catch (error) {
    return failed(`standard input cannot be read: ${reasonOf(error)}`);
  }
}

/**
 * A pipe is read through the event loop: a read that blocks in the thread pool could not be given up, and
 * would keep the process from exiting until its writer closes the pipe.
 */
function readStream(descriptor: number, limits: PayloadLimits): Promise<Result<RawPayload, string>> {
  const intake = new Intake(limits.maximumBytes);
  return new Promise((resolve) => {
    let stream: Socket;
    try {
      stream = new Socket({ fd: descriptor, readable: true, writable: false });
    } catch (error) {
      resolve(failed(`standard input cannot be read: ${reasonOf(error)}`));
      return;
    }
    const finish = (answer: Result<RawPayload, string>): void => {
      clearTimeout(timer);
      stream.removeAllListeners();
      stream.on("error", () => {});
      stream.pause();
      stream.unref();
      resolve(answer);
    };
    // One more turn of the loop: after a machine's sleep, bytes may wait behind a timer that has run out.
    const timer = setTimeout(() => {
      setImmediate(() => finish(intake.end(`none within ${limits.deadlineMilliseconds} ms`)));
    }, limits.deadlineMilliseconds);
    stream.on("error", (error) => finish(intake.end(reasonOf(error))));
    stream.on("end", () => finish(intake.end("end of input")));
    stream.on("data", (chunk: Buffer) => {
      const answer = intake.take(chunk);
      if (answer !== undefined) finish(answer);
    });
  });
}

/** Text of bytes that claim to be UTF-8 or UTF-16, with or without a mark; what is neither becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (bytes.length >= 2) {
    if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
      return decodeAs("utf-16le", bytes);
    if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
      return decodeAs("utf-16be", bytes);
  }
  return decodeAs("utf-8", bytes);
}

function decodeAs(encoding: "utf-8" | "utf-16le" | "utf-16be", bytes: Uint8Array): string {
  if (encoding !== "utf-16be") return new TextDecoder(encoding).decode(bytes);
  const swapped = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
  return new TextDecoder("utf-16le").decode(swapped);
}

/**
 * Parses a payload.
 *
 * @returns the object, or one line that says what it is instead.
 */
export function decodePayload(bytes: Uint8Array): Result<Payload, string> {
  const text = decodeText(bytes).trim();
  if (text === "") return failed("payload is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed(`payload is not JSON (${bytes.length} bytes)`);
  }
  if (value === null) return failed("payload is null, not an object");
  if (Array.isArray(value)) return failed("payload is an array, not an object");
  if (typeof value !== "object") return failed(`payload is a ${typeof value}, not an object`);
  return ok(value as Payload);
}
