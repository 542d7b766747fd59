import { EXIT } from "../../core/base/error.ts";
import { VERSION } from "../../core/base/version.ts";
import { toolOf } from "../../core/capabilities/address.ts";
import { answerError, CANCELLED } from "../../core/capabilities/answer.ts";
import type { Answer, AnswerError } from "../../core/capabilities/answer.ts";
import { locateCapability } from "../../core/capabilities/locate.ts";
import type { Ask, AskOptions } from "../ask.ts";
import { messagesOfStream } from "./event-stream.ts";
import { EPISODE_ARGUMENT, FAILURE_KEY } from "./tools.ts";

/** A server that answers this checkout, as its lease says. */
export interface SharedServer {
  /** `http://127.0.0.1:8741` */
  url: string;
  token: string;
}

export interface BridgeOptions {
  /** Finds the checkout's server, and starts one where none answers; undefined where there can be none. */
  attach: () => Promise<SharedServer | undefined>;
  /** Answers where there is no server. */
  alone: Ask;
  /** What the client behind the bridge calls itself. */
  client: () => string;
  /** The episode of whoever started this process, for questions that name none: the server cannot know it. */
  episode: () => string | undefined;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/** A way to ask the shared server, which goes on when the server does not. */
export interface Bridge {
  ask: Ask;
  /** Tells the server that its client still is there. */
  ping: () => Promise<void>;
  /** Ends the session at the server. */
  close: () => Promise<void>;
}

/** Where there was no server, whether there is one by now is asked again after so many milliseconds. */
const ALONE_MILLISECONDS = 15_000;

/** The last revision with sessions: the server keeps whoever has one on its board. */
const REVISION = "2025-11-25";

/** What rests on its answer being read is done by this process, which hears whether its client takes it. */
const SPENDS = "capsule.resume";

interface Session extends SharedServer {
  id: string;
}

interface Reply {
  id?: unknown;
  method?: string;
  params?: { progress?: number; total?: number; message?: string };
  result?: {
    isError?: boolean;
    structuredContent?: unknown;
    content?: readonly { text?: string }[];
    _meta?: Readonly<Record<string, unknown>>;
  };
  error?: { message: string };
}

/** The server cannot be asked in this session any more: it is gone, or another one took its place. */
class SessionLost extends Error {
  /** Whether the request may have been acted on before it was lost. */
  readonly acted: boolean;

  constructor(acted: boolean) {
    super("the shared server went away");
    this.acted = acted;
  }
}

/** Statuses by which a server says that it will not act for this session. */
const LOST: ReadonlySet<number> = new Set([401, 404, 409]);

async function post(
  { url, token, id }: SharedServer & { id?: string },
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        // A connection of its own: one that is refused was never acted on.
        connection: "close",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(id === undefined ? {} : { "mcp-session-id": id, "mcp-protocol-version": REVISION }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const { cause } = error as { cause?: { code?: string } };
    throw new SessionLost(cause?.code !== "ECONNREFUSED");
  }
  if (LOST.has(response.status)) throw new SessionLost(false);
  return response;
}

async function open(server: SharedServer, client: string): Promise<Session> {
  const begun = await post(server, {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: REVISION,
      capabilities: {},
      clientInfo: { name: client, version: VERSION },
    },
  });
  const id = begun.headers.get("mcp-session-id");
  await begun.text();
  if (!begun.ok || id === null) throw new SessionLost(false);
  const session = { ...server, id };
  await (await post(session, { method: "notifications/initialized" })).text();
  return session;
}

/** The reply at the end of a stream that tells how far the call is. */
async function replyOfStream(
  id: number,
  body: ReadableStream<Uint8Array>,
  onProgress: AskOptions["onProgress"],
): Promise<Reply> {
  for await (const message of messagesOfStream(body)) {
    const reply = message as Reply;
    if (reply.id === id) return reply;
    const { progress: done, total, message: what = "" } = reply.params ?? {};
    if (reply.method !== "notifications/progress" || done === undefined) continue;
    onProgress?.({ done, what, ...(total === undefined ? {} : { total }) });
  }
  throw new SessionLost(true);
}

/** @throws SessionLost where the answer breaks off: the call may have acted before. */
async function replyTo(id: number, response: Response, onProgress: AskOptions["onProgress"]): Promise<Reply> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  try {
    if (isStream && response.body !== null) return await replyOfStream(id, response.body, onProgress);
    return (await response.json()) as Reply;
  } catch {
    throw new SessionLost(true);
  }
}

/** Tells the server that nobody waits for a call any more: to close the connection says nothing in this revision. */
async function cancelAt(session: Session, requestId: number): Promise<void> {
  try {
    await (await post(session, { method: "notifications/cancelled", params: { requestId } })).text();
  } catch {
    // A server that is gone does nothing for anybody.
  }
}

function answerOf(reply: Reply): Answer {
  const { result, error } = reply;
  if (result !== undefined && result.isError !== true) return { ok: true, value: result.structuredContent };
  const failure = result?._meta?.[FAILURE_KEY] as AnswerError | undefined;
  if (failure !== undefined) return { ok: false, error: failure };
  const message = error?.message ?? result?.content?.[0]?.text ?? "the shared server gave no answer";
  return { ok: false, error: { code: "server.answer", exit: EXIT.internal, message } };
}

/**
 * Makes the bridge. A session that is lost is begun anew at whichever server answers by then; what may have been acted
 * on is not asked twice.
 */
export function createBridge({ attach, alone, client, episode: own, now }: BridgeOptions): Bridge {
  let session: Promise<Session | undefined> | undefined;
  /** Until when nobody looks again for a server that was not there. */
  let aloneUntil: number | undefined;
  let count = 0;

  const begin = async (): Promise<Session | undefined> => {
    const server = await attach();
    if (server !== undefined) return open(server, client());
    aloneUntil = now() + ALONE_MILLISECONDS;
    return undefined;
  };

  const current = (): Promise<Session | undefined> => {
    if (session === undefined || (aloneUntil !== undefined && now() >= aloneUntil)) {
      aloneUntil = undefined;
      session = begin();
    }
    return session;
  };

  const forget = (): void => {
    session = undefined;
  };

  const askOnce: Ask = async (id, input, options = {}) => {
    // The server would hear that its answer arrived here, and not that it never reached the client.
    if (id === SPENDS) return alone(id, input, options);
    const there = await current();
    if (there === undefined) return alone(id, input, options);
    const { episode = own(), signal, onProgress } = options;
    count += 1;
    const call = count;
    const cancel = (): void => void cancelAt(there, call);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const params = {
        name: toolOf(await locateCapability(id)),
        arguments: { ...Object(input), ...(episode === undefined ? {} : { [EPISODE_ARGUMENT]: episode }) },
        ...(onProgress === undefined ? {} : { _meta: { progressToken: call } }),
      };
      const response = await post(there, { id: call, method: "tools/call", params }, signal);
      return answerOf(await replyTo(call, response, onProgress));
    } catch (error) {
      if (signal?.aborted === true) return CANCELLED;
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  };

  const ask: Ask = async (id, input, options) => {
    try {
      return await askOnce(id, input, options);
    } catch (error) {
      forget();
      if (!(error instanceof SessionLost)) return { ok: false, error: answerError(error) };
      const { effect } = await locateCapability(id);
      if (error.acted && effect === "write") {
        const message = "the shared server went away while it acted; look whether it did before asking again";
        return { ok: false, error: { code: "server.lost", exit: EXIT.internal, message } };
      }
    }
    try {
      return await askOnce(id, input, options);
    } catch {
      forget();
      return alone(id, input, options);
    }
  };

  return {
    ask,
    ping: async () => {
      try {
        const there = await session;
        if (there === undefined) return;
        count += 1;
        await (await post(there, { id: count, method: "ping" })).text();
      } catch {
        // The next question finds out where to go.
        forget();
      }
    },
    close: async () => {
      try {
        const there = await session;
        if (there === undefined) return;
        const headers = { authorization: `Bearer ${there.token}`, "mcp-session-id": there.id };
        await fetch(`${there.url}/mcp`, { method: "DELETE", headers, signal: AbortSignal.timeout(1_000) });
      } catch {
        // A server that is gone has no session to end.
      }
    },
  };
}
