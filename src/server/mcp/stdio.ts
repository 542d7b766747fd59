import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Ask } from "../ask.ts";
import { LIMITS } from "../limits.ts";
import { createMcpServer } from "./server.ts";

export interface StdioOptions {
  ask: Ask;
  stdin: Readable;
  stdout: Writable;
  /** Told what the client calls itself, once it has said so. */
  onClient?: (name: string) => void;
  /** One line for people; standard output is the wire. */
  log: (line: string) => void;
  signal: AbortSignal;
}

/** Serves the client that started this process, in whichever revision it speaks, until it closes its end. */
export async function serveClient({
  ask,
  stdin,
  stdout,
  onClient,
  log,
  signal,
}: StdioOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
    stdout.once("error", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer({ ask, ...(era === "legacy" ? { memory: {} } : {}) });
      server.oninitialized = () => onClient?.(server.getClientVersion()?.name ?? "unknown");
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
