import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createMcpServer } from "./server.ts";
import type { McpServerOptions } from "./server.ts";

type Send = WebStandardStreamableHTTPServerTransport["send"];

/** A call whose answer is a stream of events: how far it is, and at last what it answers. */
export interface StreamedCall {
  response: Promise<Response>;
  /** Stops the call; its stream ends without an answer. */
  cancel: () => void;
}

/** A transport that ends with the one call that it carries, whether anybody reads the answer or not. */
class OneCallTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
    super({});
    this.#onEnd = onEnd;
  }

  override async send(...[message, options]: Parameters<Send>): ReturnType<Send> {
    await super.send(message, options);
    if (!("method" in message)) await this.close();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#onEnd();
  }
}

/**
 * Serves one call of a client that wants to hear how far it is. The sessions of these revisions answer in one piece, so
 * such a call has a server of its own, which shares what is remembered of the client.
 *
 * @param onEnd told when the call is answered or stopped
 */
export function streamCall(
  options: McpServerOptions,
  request: Request,
  body: unknown,
  onEnd: () => void,
): StreamedCall {
  const transport = new OneCallTransport(onEnd);
  const respond = async (): Promise<Response> => {
    await createMcpServer(options).connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  };
  return { response: respond(), cancel: () => void transport.close() };
}
