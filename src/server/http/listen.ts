import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { failureResponse, Refusal } from "./failure.ts";
import { noteAnswer } from "./lost-answer.ts";

/** The address that only this machine reaches. */
export const LOOPBACK_ADDRESS = "127.0.0.1";

/** What one connection may take, so that those that never finish cost nothing. */
const CONNECTION = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 16 * 1024,
} as const;

const MAXIMUM_CONNECTIONS = 512;

/** A socket that answers. */
export interface Listening {
  port: number;
  /** Stops listening, and ends every connection. */
  close(): Promise<void>;
}

/**
 * Listens on the loopback address.
 *
 * @param port 0 for any free one.
 * @throws the system's error (EADDRINUSE) when the port cannot be had.
 */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  port: number,
): Promise<Listening> {
  const noting = (request: Request, { outgoing }: HttpBindings | Http2Bindings): Promise<Response> => {
    // The handler runs before its answer is noted only as far as its first wait; and this server speaks HTTP/1.1 alone.
    const response = fetch(request);
    noteAnswer(request, { outgoing: outgoing as ServerResponse, response });
    return response;
  };
  const answer = getRequestListener(noting, {
    errorHandler: () => failureResponse(new Refusal(400, { code: "http.request", message: "is no request" })),
  });
  const server = createServer({ ...CONNECTION }, (incoming, outgoing) => void answer(incoming, outgoing));
  server.maxConnections = MAXIMUM_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: LOOPBACK_ADDRESS, port, exclusive: true }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  // A connection that breaks is the client's affair.
  server.on("error", () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
