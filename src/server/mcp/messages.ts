import type { ProgressToken } from "./progress.ts";

/** How a client names a call of its own. */
export type CallId = string | number;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown; _meta?: { progressToken?: unknown } };
}

function isName(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function messagesOf(body: unknown): Message[] {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  return all.filter((message): message is Message => typeof message === "object" && message !== null);
}

/** The calls of a body that want an answer, by the ids that the client gave them. */
export function callsOf(body: unknown): CallId[] {
  return messagesOf(body).flatMap(({ id, method }) => (typeof method === "string" && isName(id) ? [id] : []));
}

/** The calls that a body says are not waited for any more. */
export function cancelledCallsOf(body: unknown): CallId[] {
  return messagesOf(body).flatMap(({ method, params }) =>
    method === "notifications/cancelled" && isName(params?.requestId) ? [params.requestId] : [],
  );
}

/** By what a client wants to be told how far its tool is; undefined where it did not ask for that. */
export function wantedProgressOf(body: unknown): ProgressToken | undefined {
  if (Array.isArray(body)) return undefined;
  const [message] = messagesOf(body);
  const token = message?.params?._meta?.progressToken;
  return message?.method === "tools/call" && isName(token) ? token : undefined;
}
