import { randomUUID } from "node:crypto";
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Ask } from "../ask.ts";
import type { Attendance } from "./attendance.ts";
import { callsOf, cancelledCallsOf, wantedProgressOf } from "./messages.ts";
import type { CallId } from "./messages.ts";
import { createMcpServer } from "./server.ts";
import type { ClientMemory } from "./client-memory.ts";
import { streamCall } from "./streamed-call.ts";

/** Sessions at the same time; the one that was longest silent goes when one more comes. */
const MAXIMUM_SESSIONS = 128;

/** After which silence a session is over, in milliseconds. */
const SILENT_MILLISECONDS = 3_600_000;

interface Session extends ClientMemory {
  transport: WebStandardStreamableHTTPServerTransport;
  /** When something was last heard of it. */
  heard: number;
  /** What is under way for it, by the ids that it gave: how each is given up. */
  calls: Map<CallId, () => void>;
}

/** What a call gets that nobody waits for any more: the kit answers it no more. */
const GIVEN_UP = { status: 202 } as const;

export interface SessionsOptions {
  ask: Ask;
  attendance: Attendance | undefined;
  /** Whether new clients may still come. */
  isLeaseholder: () => boolean;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/** Clients of the revisions with `initialize`: each has a server of its own until it leaves or falls silent. */
export interface Sessions {
  /** @param body the request's body, parsed; undefined where it has none. */
  fetch: (request: Request, body: unknown) => Promise<Response>;
  close: () => Promise<void>;
}

/** A refusal as these revisions word it; the word in `data` is for programs. */
function refuse(status: number, code: number, word: string, message: string): Response {
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code, message, data: { code: word } } },
    { status },
  );
}

/** What a new client is told by a server that is not the checkout's any more. */
export function leaseLost(): Response {
  return refuse(409, -32_000, "lease_lost", "another server answers this checkout now; ask that one");
}

export function createSessions({ ask, attendance, isLeaseholder, now }: SessionsOptions): Sessions {
  const sessions = new Map<string, Session>();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    if (session === undefined) return;
    sessions.delete(id);
    if (session.handle !== undefined) attendance?.detach(session.handle);
    await session.transport.close();
    for (const giveUp of session.calls.values()) giveUp();
  };

  const makeRoom = async (): Promise<void> => {
    const bySilence = [...sessions].toSorted(([, a], [, b]) => a.heard - b.heard);
    const excess = bySilence.length - MAXIMUM_SESSIONS + 1;
    for (const [place, [id, { heard }]] of bySilence.entries()) {
      if (place < excess || now() - heard > SILENT_MILLISECONDS) await end(id);
    }
  };

  const begin = async (request: Request, body: unknown): Promise<Response> => {
    await makeRoom();
    const session: Session = {
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        // What is told on the way to an answer has a stream of its own.
        enableJsonResponse: true,
        onsessioninitialized: (id) => {
          sessions.set(id, session);
        },
        onsessionclosed: end,
      }),
      heard: now(),
      calls: new Map(),
    };
    const server = createMcpServer({ ask, memory: session });
    server.oninitialized = () => {
      const handle = attendance?.attach({ name: server.getClientVersion()?.name ?? "unknown" });
      if (handle !== undefined) session.handle = handle;
    };
    await server.connect(session.transport);
    return session.transport.handleRequest(request, { parsedBody: body });
  };

  const stream = (session: Session, id: CallId, request: Request, body: unknown): Promise<Response> => {
    const forget = (): void => void session.calls.delete(id);
    const { response, cancel } = streamCall({ ask, memory: session }, request, body, forget);
    session.calls.set(id, cancel);
    return response;
  };

  const answer = async (session: Session, request: Request, body: unknown): Promise<Response> => {
    const ids = callsOf(body);
    const [id] = ids;
    if (id !== undefined && wantedProgressOf(body) !== undefined) return stream(session, id, request, body);
    const { calls, transport } = session;
    const givenUp = new Promise<Response>((resolve) => {
      for (const one of ids) calls.set(one, () => resolve(new Response(null, GIVEN_UP)));
    });
    try {
      const given = transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
      return await (id === undefined ? given : Promise.race([given, givenUp]));
    } finally {
      for (const one of ids) calls.delete(one);
      // After the transport was told: what it stops is not answered any more.
      for (const one of cancelledCallsOf(body)) calls.get(one)?.();
    }
  };

  return {
    fetch: async (request, body) => {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        if (session === undefined) return refuse(404, -32_001, "session_unknown", "Session not found");
        session.heard = now();
        if (session.handle !== undefined) attendance?.touch(session.handle);
        return answer(session, request, body);
      }
      if (!isInitializeRequest(body)) {
        return refuse(
          400,
          -32_000,
          "session_required",
          "Bad Request: initialize first, and send Mcp-Session-Id",
        );
      }
      return isLeaseholder() ? begin(request, body) : leaseLost();
    },
    close: async () => {
      for (const id of sessions.keys()) await end(id);
    },
  };
}
