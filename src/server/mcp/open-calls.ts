import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** The calls of one client that it was not answered yet. */
export interface OpenCalls {
  /** A message of the client: a call that wants an answer, or that one of them is not waited for any more. */
  heard: (message: JSONRPCMessage) => void;
  /** A message to the client: an answer, perhaps. */
  told: (message: JSONRPCMessage) => void;
  count: () => number;
  /** Fulfilled as soon as every call is answered: at once where none is open. */
  whenNone: () => Promise<void>;
}

/** Calls that are open for as long as their client listens: no answer ends them. */
const LASTING: ReadonlySet<string> = new Set(["subscriptions/listen"]);

export function createOpenCalls(): OpenCalls {
  const open = new Set<unknown>();
  let waiting: (() => void)[] = [];

  const settle = (id: unknown): void => {
    open.delete(id);
    if (open.size > 0) return;
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  };

  return {
    heard: (message) => {
      if (!("method" in message)) return;
      if ("id" in message) {
        if (!LASTING.has(message.method)) open.add(message.id);
      } else if (message.method === "notifications/cancelled") {
        settle(message.params?.["requestId"]);
      }
    },
    told: (message) => {
      if (!("method" in message)) settle(message.id);
    },
    count: () => open.size,
    whenNone: () =>
      new Promise((resolve) => {
        if (open.size === 0) resolve();
        else waiting.push(resolve);
      }),
  };
}
