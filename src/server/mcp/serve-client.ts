import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { namedEpisode } from "../../core/boundary/work-by-hand.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { ensureServer } from "../../core/serving/ensure.ts";
import { executableAt } from "../../core/serving/executable.ts";
import { createPool } from "../../workers/pool.ts";
import type { Ask } from "../ask.ts";
import { createAsking } from "../asking.ts";
import { LIMITS } from "../limits.ts";
import { createBridge } from "./bridge.ts";
import type { Bridge, SharedServer } from "./bridge.ts";
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

/** Speaks the protocol until the client closes its end, or this process is asked to stop. */
async function converse(
  ask: Ask,
  { stdin, stdout, log, signal }: ServeClientOptions,
  onClient: (name: string) => void,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve();
    stdin.once("end", end);
    stdin.once("close", end);
    stdout.once("error", end);
    signal.addEventListener("abort", end, { once: true });
  });
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer({ ask, ...(era === "legacy" ? { memory: {} } : {}) });
      server.oninitialized = () => onClient(server.getClientVersion()?.name ?? "unknown");
      return server;
    },
    {
      transport: new StdioServerTransport(stdin, stdout, { maxBufferSize: LIMITS.bodyBytes }),
      onerror: ({ message }) => log(message),
    },
  );
  if (!signal.aborted) await ended;
  await handle.close();
}

/**
 * Serves the client that started this process, in whichever revision it speaks: by the checkout's shared server,
 * which is started where none answers, or in this process.
 */
export async function serveClient(checkout: Checkout, options: ServeClientOptions): Promise<void> {
  const { root, environment } = checkout;
  const pool = createPool({ entry: options.worker, environment });
  const { ask: alone } = createAsking({ root, environment, pool });
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
    await pool.close();
  }
}
