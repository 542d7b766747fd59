import { setTimeout as sleep } from "node:timers/promises";
import { createTokenCheck } from "../http/credentials.ts";

type Fetch = (request: Request) => Promise<Response>;

/** Asking how a server is does not keep it: consoles and probes look at these again and again. */
const LOOKS: ReadonlySet<string> = new Set([
  "/",
  "/api/v1/live",
  "/api/v1/ready",
  "/api/v1/server",
  "/api/v1/peers",
]);

/** Whether anybody needs a server, as its requests tell. */
export interface Activity {
  /** The same answers, watched. */
  fetch: Fetch;
  /** Somebody wanted something in another way than by a request. */
  touch(): void;
  /** Milliseconds since somebody last wanted something; 0 while an answer is under way. */
  quietFor(): number;
  /** Waits until nothing is under way but what clients listen to, at most so many milliseconds. */
  settle(maximumMilliseconds: number): Promise<void>;
}

const LOOK_MILLISECONDS = 20;

/**
 * Watches the requests of those who know the token: each is a sign that the server is needed, and so is an answer
 * that goes on, such as a stream of events.
 *
 * @param now milliseconds of a clock that never goes back.
 */
export function watchActivity(fetch: Fetch, token: string, now: () => number): Activity {
  const isKnown = createTokenCheck(token);
  let underWay = 0;
  let streams = 0;
  let last = now();
  const begin = (): (() => void) => {
    underWay += 1;
    return once(() => {
      underWay -= 1;
      last = now();
    });
  };
  return {
    fetch: async (request) => {
      if (LOOKS.has(new URL(request.url).pathname) || !isKnown(request.headers)) return fetch(request);
      const end = begin();
      try {
        const response = await fetch(request);
        if (!isStream(response)) {
          end();
          return response;
        }
        const lasts = isListening(request);
        if (lasts) streams += 1;
        const endStream = (): void => {
          if (lasts) streams -= 1;
          end();
        };
        return new Response(watched(response.body, once(endStream)), response);
      } catch (error) {
        end();
        throw error;
      }
    },
    touch: () => {
      last = now();
    },
    quietFor: () => (underWay > 0 ? 0 : now() - last),
    settle: async (maximumMilliseconds) => {
      const deadline = now() + maximumMilliseconds;
      const answering = (): boolean => underWay > streams;
      while (answering() && now() < deadline) await sleep(LOOK_MILLISECONDS);
    },
  };
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

/** Whether a client listens for whatever may come, instead of for the answer of a call. */
function isListening({ method, headers }: Request): boolean {
  return method === "GET" || headers.get("mcp-method") === "subscriptions/listen";
}

function isStream(response: Response): response is Response & { body: ReadableStream<Uint8Array> } {
  const type = response.headers.get("content-type") ?? "";
  // In this order: to look at a body makes a stream of what was a text.
  return type.startsWith("text/event-stream") && response.body !== null;
}

/** The same body; `end` is told when it is over, or when whoever read it went away. */
function watched(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}
