import { formatTimestamp } from "../../src/core/base/time.ts";
import type { Ask, Recall } from "../../src/server/ask.ts";
import { createAsking } from "../../src/server/asking.ts";
import type { OwnAnswers } from "../../src/server/asking.ts";
import { createApplication } from "../../src/server/http/application.ts";
import type { Application } from "../../src/server/http/application.ts";
import type { ServerState } from "../../src/server/http/server-state.ts";
import type { Attendance } from "../../src/server/mcp/attendance.ts";
import type { Pool } from "../../src/workers/pool.ts";
import { work } from "../../src/workers/work.ts";
import type { Place } from "./checkout.ts";

export const TOKEN = "a-token-that-only-the-lease-tells";
export const PORT = 8741;

/** A pool that has no threads: what is heavy runs in this one. */
export function poolHere(environment: Readonly<Record<string, string | undefined>>): Pool {
  return {
    run: (root, id, input, options = {}) =>
      work(root, id, input, {
        environment,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...(options.episode === undefined ? {} : { episode: options.episode }),
      }),
    close: async () => undefined,
  };
}

/** A server's answers in this process, and the ways to ask for them. */
export interface TestServer {
  application: Application;
  state: ServerState;
  /** The header of whoever knows the token. */
  authorization: string;
  /** Any request, as it is given: nothing is added but the address. */
  raw(path: string, init?: RequestInit): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface TestServerOptions {
  own?: OwnAnswers;
  now?: () => number;
}

interface ServeOptions {
  root?: string;
  now?: () => number;
  attendance?: Attendance;
  recall?: Recall;
}

/** Serves what `ask` answers, whatever it is. */
export function serve(
  ask: Ask,
  { root = "/nowhere", now = () => 0, attendance, recall }: ServeOptions = {},
): TestServer {
  const state: ServerState = {
    leaseholder: true,
    pid: process.pid,
    port: PORT,
    started_at: "2026-09-04T12:00:00Z",
  };
  const application = createApplication({
    root,
    ask,
    token: TOKEN,
    state: () => state,
    now,
    ...(recall === undefined ? {} : { recall }),
    ...(attendance === undefined ? {} : { attendance }),
  });
  const raw: TestServer["raw"] = (path, init = {}) =>
    application.fetch(new Request(`http://127.0.0.1:${state.port}${path}`, init));
  const known = { authorization: `Bearer ${TOKEN}` };
  return {
    application,
    state,
    authorization: known.authorization,
    raw,
    get: (path, headers = {}) => raw(path, { headers: { ...known, ...headers } }),
    post: (path, body, headers = {}) =>
      raw(path, {
        method: "POST",
        headers: { ...known, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** Serves a checkout in this process, with an environment that tells the time. */
export function serveDirectory(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
  { own = {}, ...options }: TestServerOptions = {},
): TestServer {
  const { now = () => 0 } = options;
  const { ask, recall } = createAsking({ root, environment, pool: poolHere(environment), own, now });
  return serve(ask, { ...options, root, recall });
}

/** Serves a place in this process, at the time that it has by now. */
export function newServer(place: Place, options: TestServerOptions = {}): TestServer {
  const environment = {
    ...place.surroundings.environment,
    MAJORDOMUS_NOW: formatTimestamp(place.clock.now()),
  };
  return serveDirectory(place.root, environment, options);
}
