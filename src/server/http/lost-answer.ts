import type { ServerResponse } from "node:http";

interface Answering {
  outgoing: ServerResponse;
  response: Promise<Response>;
}

const answering = new WeakMap<Request, Answering>();

/** Remembers with what, and through what, a request is answered. */
export function noteAnswer(request: Request, how: Answering): void {
  answering.set(request, how);
}

async function isStream(response: Promise<Response>): Promise<boolean> {
  try {
    return (await response).headers.get("content-type")?.startsWith("text/event-stream") === true;
  } catch {
    return false;
  }
}

/**
 * Calls `then` where the answer to a request is known not to have reached its client: the client was gone before, or
 * the system did not take the answer's last byte. What the system took and nobody read is not known here; nor is what
 * of a stream was read, since a client may leave it as soon as it has its answer.
 */
export function ifLostOnSocket(request: Request, then: () => void): void {
  const how = answering.get(request);
  if (how === undefined) return;
  const { outgoing, response } = how;
  if (outgoing.closed) {
    then();
    return;
  }
  const { socket } = outgoing;
  let taken = false;
  // Before the listener that ends the connection. Some versions of Node say this of a connection that broke, too.
  outgoing.prependOnceListener("finish", () => {
    taken = socket !== null && socket.errored === null && !socket.destroyed;
  });
  const judge = async (): Promise<void> => {
    if (!taken && !(await isStream(response))) then();
  };
  outgoing.once("close", () => void judge());
}
