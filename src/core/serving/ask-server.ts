import { request } from "node:http";
import { reasonOf } from "../base/error.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Lease } from "./lease.ts";

export interface ServerQuestion {
  method: "GET" | "POST";
  /** `/api/v1/peers` */
  path: string;
  body?: unknown;
  /** For the whole exchange, in milliseconds. */
  timeout: number;
}

export interface ServerReply {
  status: number;
  /** The JSON that was answered; undefined where it is none. */
  value: unknown;
}

/** More than any answer about a server and its peers. */
const REPLY_BYTES = 1024 * 1024;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Asks the server of a lease one thing, over loopback, with the lease's token.
 *
 * @returns the reply of whatever status; the reason where none came whole within the time.
 */
export function askServer(
  { url, token }: Pick<Lease, "url" | "token">,
  { method, path, body, timeout }: ServerQuestion,
): Promise<Result<ServerReply, string>> {
  if (url === undefined) return Promise.resolve(failed("it has no address yet"));
  const content = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const asked = request(`${url}${path}`, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        ...(content === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
      },
    });
    const give = (result: Result<ServerReply, string>): void => {
      clearTimeout(timer);
      asked.destroy();
      resolve(result);
    };
    // One limit for everything: a listener that never answers, or never stops, is silent to us.
    const timer = setTimeout(() => give(failed(`no answer within ${timeout} ms`)), timeout);
    asked.on("error", (error) => give(failed(reasonOf(error))));
    asked.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > REPLY_BYTES) give(failed("the answer is too large"));
        else chunks.push(chunk);
      });
      response.on("error", (error) => give(failed(reasonOf(error))));
      response.on("end", () => {
        const value = jsonOf(Buffer.concat(chunks).toString("utf8"));
        give(ok({ status: response.statusCode ?? 0, value }));
      });
    });
    asked.end(content);
  });
}
