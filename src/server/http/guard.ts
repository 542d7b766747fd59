import type { MiddlewareHandler } from "hono";
import { createAllowance } from "./allowance.ts";
import { createTokenCheck } from "./credentials.ts";
import { Refusal } from "./failure.ts";
import { LIMITS } from "../limits.ts";
import { isOwnOrigin, namesLoopback } from "./loopback.ts";
import type { ServerState } from "./server-state.ts";

export interface GuardOptions {
  /** What whoever asks has to know; it stands in the lease. */
  token: string;
  state: () => ServerState;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** What says nothing about the repository: whether the server lives, and whether it is the one to ask. */
const OPEN: ReadonlySet<string> = new Set(["/api/v1/live", "/api/v1/ready"]);

/** Pages for a person's browser, which knows passwords and no bearer tokens. */
const PAGES: ReadonlySet<string> = new Set(["/docs", "/openapi.json"]);

function checkPlace(headers: Headers, host: string, port: number): void {
  if (!namesLoopback(host, port)) {
    throw new Refusal(403, {
      code: "http.host",
      message: "this server answers on the loopback address alone",
      remedy: `ask http://127.0.0.1:${port}`,
    });
  }
  if (!isOwnOrigin(headers.get("origin") ?? undefined, port)) {
    throw new Refusal(403, { code: "http.origin", message: "a page of another origin asks for this" });
  }
}

function tooMany(seconds: number): Refusal {
  return new Refusal(
    429,
    { code: "http.rate", message: `too many requests; ask again in ${seconds} s` },
    { "retry-after": String(seconds) },
  );
}

function noToken(path: string): Refusal {
  return new Refusal(
    401,
    {
      code: "http.token",
      message: "the token is missing or wrong",
      remedy: "send Authorization: Bearer and the token of this checkout's lease",
    },
    { "www-authenticate": PAGES.has(path) ? 'Basic realm="majordomus", charset="UTF-8"' : "Bearer" },
  );
}

/**
 * Lets nobody in but this machine's own programs that know the token, and nobody too often: what is checked
 * before a request reaches any route.
 */
export function createGuard({
  token,
  state,
  now = () => performance.now(),
}: GuardOptions): MiddlewareHandler {
  const carriesToken = createTokenCheck(token);
  const known = createAllowance(LIMITS.known, now);
  const unknown = createAllowance(LIMITS.unknown, now);
  let underWay = 0;
  return async (context, next) => {
    const { headers } = context.req.raw;
    const pathname = context.req.path;
    checkPlace(headers, headers.get("host") ?? new URL(context.req.url).host, state().port);
    const trusted = carriesToken(headers, { basic: PAGES.has(pathname) });
    const wait = trusted ? known() : unknown();
    if (wait > 0) throw tooMany(wait);
    if (!trusted && !OPEN.has(pathname)) throw noToken(pathname);
    if (underWay >= LIMITS.atOnce) {
      throw new Refusal(
        503,
        { code: "http.busy", message: "too many requests are under way; ask again in 1 s" },
        { "retry-after": "1" },
      );
    }
    underWay += 1;
    try {
      await next();
    } finally {
      underWay -= 1;
    }
  };
}
