import { fstatSync, readSync, type Stats } from "node:fs";
import { Socket, type ConnectOpts, type SocketConstructorOpts } from "node:net";
import { isatty } from "node:tty";
import { elapsedMilliseconds } from "../core/base/elapsed.ts";
import { errnoOf, reasonOf } from "../core/base/error.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import { waitOn } from "./descriptor-wait.ts";
import { JsonBoundary } from "./json-boundary.ts";

/** A hook's input: a JSON object whose every value may be an attack. */
export type Payload = Readonly<Record<string, unknown>>;

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
 * @returns the value's bytes as they came, or one line that says why there is none.
 */
export async function readPayload(
  descriptor: number,
  limits: PayloadLimits = PAYLOAD_LIMITS,
): Promise<Result<Buffer, string>> {
  let stats: Stats;
  try {
    stats = fstatSync(descriptor);
  } catch (error) {
    return failed(errnoOf(error) === "EBADF" ? "standard input is closed" : reasonOf(error));
  }
  const intake = new Intake(limits.maximumBytes);
  if (stats.isFile()) return readFile(descriptor, intake);
  if (stats.isFIFO() || stats.isSocket()) {
    return readAwaited(descriptor, limits, intake) ?? readStream(descriptor, limits, intake);
  }
  return failed(`standard input is ${kindOf(descriptor, stats)}, not a payload`);
}

function kindOf(descriptor: number, stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  return isatty(descriptor) ? "a terminal" : "a device";
}

const CHUNK_BYTES = 64 * 1024;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** What has been read so far, and where its first value ends. */
class Intake {
  readonly #chunks: Buffer[] = [];
  readonly #boundary = new JsonBoundary();
  readonly #maximumBytes: number;
  #size = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** @returns the answer, once there is one. The chunk may be used again by its owner. */
  take(chunk: Buffer): Result<Buffer, string> | undefined {
    const end = this.#endIn(chunk);
    this.#chunks.push(Buffer.from(end === undefined ? chunk : chunk.subarray(0, end)));
    this.#size += end ?? chunk.length;
    if (this.#size > this.#maximumBytes) return failed(`payload is larger than ${this.#maximumBytes} bytes`);
    return end === undefined ? undefined : this.#whole();
  }

  /** The answer when no more will come. */
  end(why: string): Result<Buffer, string> {
    const state = this.#boundary.end();
    if (state === "complete") return this.#whole();
    if (state === "blank") return failed(`payload is empty (${why})`);
    return failed(`payload is incomplete after ${this.#size} bytes (${why})`);
  }

  /** Most providers write one object at once, which the parser sees faster than a look at every byte. */
  #endIn(chunk: Buffer): number | undefined {
    return (this.#size === 0 ? endOfObject(chunk) : undefined) ?? this.#boundary.push(chunk);
  }

  #whole(): Result<Buffer, string> {
    const [only] = this.#chunks;
    return ok(this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks));
  }
}

/** Where an object ends that fills a chunk, blanks behind it aside; undefined where the chunk is anything else. */
function endOfObject(chunk: Buffer): number | undefined {
  if (chunk[0] !== OPENING_BRACE) return undefined;
  const end = chunk.lastIndexOf(CLOSING_BRACE) + 1;
  try {
    JSON.parse(chunk.toString("utf8", 0, end));
  } catch {
    return undefined;
  }
  return end;
}

function readFile(descriptor: number, intake: Intake): Result<Buffer, string> {
  try {
    for (const chunk = Buffer.allocUnsafe(CHUNK_BYTES); ;) {
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
 * Reads a pipe or a socket without the event loop.
 *
 * @returns undefined where this Node offers no wait for it.
 */
function readAwaited(
  descriptor: number,
  { deadlineMilliseconds }: PayloadLimits,
  intake: Intake,
): Result<Buffer, string> | undefined {
  const wait = waitOn(descriptor, "read");
  if (wait === undefined) return undefined;
  const deadline = elapsedMilliseconds() + deadlineMilliseconds;
  try {
    for (const chunk = Buffer.allocUnsafe(CHUNK_BYTES); ;) {
      const left = deadline - elapsedMilliseconds();
      // Asked once more after the deadline: a machine may have slept, with bytes that came before it.
      if (wait(left)) {
        const count = readSync(descriptor, chunk, 0, chunk.length, null);
        if (count === 0) return intake.end("end of input");
        const answer = intake.take(chunk.subarray(0, count));
        if (answer !== undefined) return answer;
      } else if (left <= 0) {
        return intake.end(`none within ${deadlineMilliseconds} ms`);
      }
    }
  } catch (error) {
    return failed(`standard input cannot be read: ${reasonOf(error)}`);
  }
}

/**
 * Reads through the event loop: a read that blocks in the thread pool could not be given up, and would keep the
 * process from exiting until its writer closes the pipe.
 */
function readStream(
  descriptor: number,
  limits: PayloadLimits,
  intake: Intake,
): Promise<Result<Buffer, string>> {
  return new Promise((resolve) => {
    let stream: Socket;
    let timer: NodeJS.Timeout | undefined;
    let isFinished = false;
    const finish = (answer: Result<Buffer, string>): void => {
      isFinished = true;
      clearTimeout(timer);
      resolve(answer);
    };
    const options: SocketConstructorOpts & ConnectOpts = {
      fd: descriptor,
      readable: true,
      writable: false,
      // Without the stream's own buffers, which nobody would look at.
      onread: {
        buffer: Buffer.allocUnsafe(CHUNK_BYTES),
        callback: (count, buffer) => {
          const answer = intake.take(Buffer.from(buffer.buffer, buffer.byteOffset, count));
          if (answer !== undefined) finish(answer);
          return answer === undefined;
        },
      },
    };
    try {
      stream = new Socket(options);
    } catch (error) {
      resolve(failed(`standard input cannot be read: ${reasonOf(error)}`));
      return;
    }
    stream.on("error", (error) => finish(intake.end(reasonOf(error))));
    stream.on("end", () => finish(intake.end("end of input")));
    // By then what waits already was read, and mostly that is all of it; an end without a byte was told of.
    setImmediate(() => {
      if (isFinished) return;
      stream.resume();
      // One more turn of the loop: after a machine's sleep, bytes may wait behind a timer that has run out.
      timer = setTimeout(() => {
        setImmediate(() => finish(intake.end(`none within ${limits.deadlineMilliseconds} ms`)));
      }, limits.deadlineMilliseconds);
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
  if (encoding === "utf-8") {
    // A decoder of the platform is made for any encoding, and costs as much as all else that reads a payload.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  }
  if (encoding === "utf-16le") return new TextDecoder(encoding).decode(bytes);
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
