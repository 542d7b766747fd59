import type { Readable, Writable } from "node:stream";
import { parseJSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { LIMITS } from "../limits.ts";
import { createOpenCalls } from "./open-calls.ts";
import type { OpenCalls } from "./open-calls.ts";

export interface LineTransportOptions {
  stdin: Readable;
  stdout: Writable;
  /** One line for people, about what a client sent and cannot be understood. */
  log: (line: string) => void;
}

const NEWLINE = 0x0a;

/** By what a refused message is called, so that its sender knows which it was. */
function idOf(value: unknown): string | number | null {
  const id: unknown = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/**
 * The protocol over standard input and output, a message a line. What is no message gets the protocol's own error, and
 * the next line is read; and the end of the input ends nothing: what was asked before it can still be answered.
 * The kit's transport drops the one without a word to the client, and gives up what is under way at the other.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly calls: OpenCalls = createOpenCalls();
  readonly #options: LineTransportOptions;
  #pieces: Buffer[] = [];
  #length = 0;
  #closed = false;
  readonly #ifLost = new Map<unknown, () => void>();

  constructor(options: LineTransportOptions) {
    this.#options = options;
  }

  // oxlint-disable-next-line require-await -- the kit's interface is asynchronous
  async start(): Promise<void> {
    const { stdin } = this.#options;
    stdin.on("data", this.#onData);
    stdin.on("end", this.#onEnd);
  }

  /** Calls `then` where the answer to a call does not leave this process. */
  ifLost(call: unknown, then: () => void): void {
    if (this.#closed) then();
    else this.#ifLost.set(call, then);
  }

  /** Fulfilled when the message has left this process. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("the client is not connected any more");
    const id = "method" in message ? undefined : message.id;
    const lost = this.#ifLost.get(id);
    this.#ifLost.delete(id);
    try {
      await this.#write(message);
    } catch (error) {
      lost?.();
      throw error;
    } finally {
      this.calls.told(message);
    }
  }

  // oxlint-disable-next-line require-await -- the kit's interface is asynchronous
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { stdin } = this.#options;
    stdin.off("data", this.#onData);
    stdin.off("end", this.#onEnd);
    // A client that stays connected must not keep this process.
    stdin.pause();
    this.onclose?.();
    for (const lost of this.#ifLost.values()) lost();
    this.#ifLost.clear();
  }

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  };

  /** The last line needs no end of its own. */
  readonly #onEnd = (): void => this.#endLine();

  /** Of a line that is too long nothing is kept. */
  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > LIMITS.bodyBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #endLine(): void {
    const length = this.#length;
    const line = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#length = 0;
    if (length > LIMITS.bodyBytes) {
      this.#refuse(ProtocolErrorCode.InvalidRequest, null, `longer than ${LIMITS.bodyBytes} bytes`);
    } else if (line.trim() !== "") {
      this.#read(line);
    }
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(ProtocolErrorCode.ParseError, null, "not JSON");
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(ProtocolErrorCode.InvalidRequest, idOf(value), "not a message of JSON-RPC 2.0");
      return;
    }
    this.calls.heard(message);
    this.onmessage?.(message);
  }

  #refuse(code: ProtocolErrorCode, id: string | number | null, what: string): void {
    const { log } = this.#options;
    log(`a line of the client is ${what}; it was answered with error ${code}`);
    // Whether anybody still reads is heard from the stream itself.
    this.#write({ jsonrpc: "2.0", id, error: { code, message: `the line is ${what}` } }).catch(
      () => undefined,
    );
  }

  #write(message: object): Promise<void> {
    const { stdout } = this.#options;
    return new Promise((resolve, reject) => {
      stdout.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
