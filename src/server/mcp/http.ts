import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Ask } from "../ask.ts";
import { LIMITS } from "../limits.ts";
import type { Attendance } from "./attendance.ts";
import { createMcpServer } from "./server.ts";
import { createSessions, leaseLost } from "./sessions.ts";

export interface McpEndpointOptions {
  ask: Ask;
  isLeaseholder: () => boolean;
  attendance?: Attendance;
  now: () => number;
}

/** Streamable HTTP: what answers at `/mcp`, for every revision. */
export interface McpEndpoint {
  fetch: (request: Request) => Promise<Response>;
  close: () => Promise<void>;
}

async function parsedBody(request: Request): Promise<unknown> {
  if (request.method !== "POST") return undefined;
  try {
    return await request.clone().json();
  } catch {
    // The transport says by itself what is wrong with it.
    return undefined;
  }
}

/**
 * Makes the endpoint: revision 2026-07-28 is answered request by request, older clients get a session.
 */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { ask, isLeaseholder, attendance, now } = options;
  const modern = createMcpHandler(() => createMcpServer({ ask }), {
    legacy: "reject",
    maxRequestBodySize: LIMITS.bodyBytes,
  });
  const sessions = createSessions({ ask, isLeaseholder, attendance, now });
  return {
    fetch: async (request) => {
      const body = await parsedBody(request);
      if (await isLegacyRequest(request.clone(), body)) return sessions.fetch(request, body);
      // Without a session every request is a new client, and those go to the server that has the lease.
      return isLeaseholder() ? modern.fetch(request, { parsedBody: body }) : leaseLost();
    },
    close: async () => {
      await sessions.close();
      await modern.close();
    },
  };
}
