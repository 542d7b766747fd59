import type { Readable, Writable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { namedEpisode } from "../../core/boundary/work-by-hand.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { ensureServer } from "../../core/serving/ensure.ts";
import { executableAt } from "../../core/serving/executable.ts";
import { clip, inert } from "../../core/text/inert.ts";
import { createPool } from "../../workers/pool.ts";
import type { Ask } from "../ask.ts";
import { createAsking } from "../asking.ts";
import { LIMITS } from "../limits.ts";
import { createBridge } from "./bridge.ts";
import type { Bridge, SharedServer } from "./bridge.ts";
import { LineTransport } from "./line-transport.ts";
import { createMcpServer } from "./server.ts";

export interface ServeClientOptions {
  /** The program that a shared server is started from. */
  launcher: string;
  /** The entry of the pool's threads. */
  worker: string;
  /** Answer in this process alone. */
  standalone: boolean;
  stdin: Readable;
  stdout: Writable;
  /** One line for people; standard output is the wire. */
  log: (line: string) => void;
  signal: AbortSignal;
}

/** How long a client's question waits for a server that starts: as long as the command that ensures one. */
const ENSURE_MILLISECONDS = 5_000;

/** What this process does when its client leaves is given this long to come to its end. */
const SETTLE_MILLISECONDS = 2_000;

/** Of what went wrong, so much is told to people. */
const SHOWN_CHARACTERS = 300;

/** How often the shared server hears that its client is still there (records.md 15). */
const PING_MILLISECONDS = 20_000;

function attachTo(checkout: Checkout, { launcher, log }: ServeClientOptions) {
  return async (): Promise<SharedServer | undefined> => {
    const executable = executableAt(launcher);
    const ensured = await ensureServer(checkout, { executable, waitMilliseconds: ENSURE_MILLISECONDS });
    if (ensured.ensured && ensured.lease.url !== undefined) {
      return { url: ensured.lease.url, token: ensured.lease.token };
    }
    const reason = ensured.ensured ? "it has no address" : ensured.reason;
    log(`no shared server (${reason}); this process answers by itself`);
    return undefined;
  };
}

/** After the input's end: until what was asked is answered, or an answer took as long as any may. */
async function answerTheRest({ calls }: LineTransport, log: (line: string) => void): Promise<void> {
  const { read: milliseconds } = LIMITS.milliseconds;
  await Promise.race([calls.whenNone(), after(milliseconds, undefined, { ref: false })]);
  const left = calls.count();
  if (left > 0) {
    log(`the input ended, and ${left} call(s) were given up that took more than ${milliseconds / 1_000} s`);
  }
}

/**
 * Speaks the protocol until the client closes its end and has its answers. It ends at once where nobody reads them any
 * more, or this process is asked to stop.
 */
async function converse(
  ask: Ask,
  { stdin, stdout, log, signal }: ServeClientOptions,
  onClient: (name: string) => void,
): Promise<void> {
  const transport = new LineTransport({ stdin, stdout, log });
  const gone = new Promise<void>((resolve) => {
    const end = (): void => resolve();
    stdout.once("error", end);
    stdout.once("close", end);
    signal.addEventListener("abort", end, { once: true });
  });
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve();
    stdin.once("error", end);
    stdin.once("close", end);
    // What reads the last line hears of the end later than this, and in the same turn.
    stdin.once("end", () => setImmediate(end));
    if (stdin.readableEnded || stdin.destroyed) end();
  });
  const onerror = (error: Error): void => {
    // A client that went away is nothing that people have to hear of.
    if ("code" in error && error.code === "EPIPE") return;
    log(clip(inert(error.message), SHOWN_CHARACTERS));
  };
  const handle = serveStdio(
    ({ era }) => {
      const ifLost = (call: unknown, then: () => void): void => transport.ifLost(call, then);
      const server = createMcpServer({ ask, ifLost, ...(era === "legacy" ? { memory: {} } : {}) });
      server.oninitialized = () => onClient(server.getClientVersion()?.name ?? "unknown");
      return server;
    },
    { transport, onerror },
  );
  const answered = async (): Promise<void> => {
    await ended;
    await answerTheRest(transport, log);
  };
  if (!signal.aborted) await Promise.race([gone, answered()]);
  await handle.close();
}

/**
 * Serves the client that started this process, in whichever revision it speaks: by the checkout's shared server,
 * which is started where none answers, or in this process.
 */
export async function serveClient(checkout: Checkout, options: ServeClientOptions): Promise<void> {
  const { root, environment } = checkout;
  const pool = createPool({ entry: options.worker, environment });
  const { ask: alone, settled } = createAsking({ root, environment, pool });
  let name = "an MCP client";
  let bridge: Bridge | undefined;
  if (!options.standalone) {
    bridge = createBridge({
      attach: attachTo(checkout, options),
      alone,
      client: () => name,
      episode: () => namedEpisode(checkout),
      now: () => performance.now(),
    });
  }
  const pinging = setInterval(() => void bridge?.ping(), PING_MILLISECONDS);
  try {
    await converse(bridge?.ask ?? alone, options, (said) => {
      name = said;
    });
  } finally {
    clearInterval(pinging);
    await bridge?.close();
    // A thread that is ended in an act leaves it undone, or done and untold.
    await Promise.race([settled(), after(SETTLE_MILLISECONDS, undefined, { ref: false })]);
    await pool.close();
  }
}
