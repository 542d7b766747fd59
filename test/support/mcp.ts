import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Transport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { listen } from "../../src/server/http/listen.ts";
import { TOKEN } from "./server.ts";
import type { TestServer } from "./server.ts";

/** The revisions that clients speak today: the one without sessions, and the last one with them. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

/** A client of the official kit that speaks one revision, connected; whoever connects it closes it. */
export async function connectClient(transport: Transport, revision: Revision): Promise<Client> {
  const modern = revision === "2026-07-28";
  const client = new Client(
    { name: "a-test", version: "1.0.0" },
    { versionNegotiation: { mode: modern ? { pin: revision } : "legacy" } },
  );
  await client.connect(transport);
  return client;
}

/** A server that listens, and its end. */
export interface Reachable {
  address: string;
  close: () => Promise<void>;
}

/** Listens on a free port; the server then takes itself for the one of that port. */
export async function listenFor({
  application,
  state,
}: Pick<TestServer, "application" | "state">): Promise<Reachable> {
  const listening = await listen((request) => application.fetch(request), 0);
  state.port = listening.port;
  return {
    address: `http://127.0.0.1:${listening.port}`,
    close: async () => {
      await application.close();
      await listening.close();
    },
  };
}

/** The address of a server that listens until the test has ended. */
export async function addressOf(server: Pick<TestServer, "application" | "state">): Promise<string> {
  const { address, close } = await listenFor(server);
  onTestFinished(close);
  return address;
}

/** A client that is closed when the test has ended. */
export async function newClient(transport: Transport, revision: Revision): Promise<Client> {
  const client = await connectClient(transport, revision);
  onTestFinished(() => client.close());
  return client;
}

/** The transport of a client that knows the token. */
export function httpTransport(address: string, token = TOKEN): Transport {
  return new StreamableHTTPClientTransport(new URL("/mcp", address), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}
