import { Hono } from "hono";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { VERSION } from "../../core/base/version.ts";
import { routeOf } from "../../core/capabilities/address.ts";
import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { Capability } from "../../core/capabilities/capability.ts";
import { describeCapability } from "../../core/capabilities/describe.ts";
import { CAPABILITIES } from "../../core/capabilities/registry.ts";
import type { Ask, Given, Recall } from "../ask.ts";
import type { Attendance } from "../mcp/attendance.ts";
import type { McpEndpoint } from "../mcp/http.ts";
import { failureResponse, Refusal } from "./failure.ts";
import { createGuard } from "./guard.ts";
import type { GuardOptions } from "./guard.ts";
import { LIMITS } from "../limits.ts";
import { ifLostOnSocket } from "./lost-answer.ts";
import { documentationPage } from "./documentation-page.ts";
import { describeRoutes } from "./openapi.ts";
import { queryInput } from "./query-input.ts";
import { withinTime } from "./within-time.ts";

export interface ApplicationOptions extends GuardOptions {
  /** The work tree that is answered about, absolute. */
  root: string;
  /** Asks a capability of that work tree. */
  ask: Ask;
  /** What can be answered without asking; nothing when absent. */
  recall?: Recall;
  /** Who is told which clients are connected. */
  attendance?: Attendance;
}

/** A server's answers, without the socket that they go through. */
export interface Application {
  fetch: (request: Request) => Promise<Response>;
  /** Every path that is answered. */
  routes: ReadonlySet<string>;
  /** Ends the sessions of clients that are still connected. */
  close: () => Promise<void>;
}

/** Whatever else has a body keeps it: nothing here reads it. */
const METHODS_WITH_BODY = ["POST", "PUT", "PATCH", "DELETE"];

function addressInput({ url }: Request, schema: unknown): Record<string, unknown> {
  return url.includes("?") ? queryInput(new URL(url).searchParams, schema) : {};
}

async function bodyInput(request: Request): Promise<unknown> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Refusal(415, {
      code: "http.media",
      message: "an act takes its input as application/json",
      remedy: "send Content-Type: application/json",
    });
  }
  const text = await request.text();
  try {
    return text.trim() === "" ? {} : (JSON.parse(text) as unknown);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(400, { code: "http.body", message: `the body is not JSON: ${reason}` });
  }
}

/** What stands in every answer: nobody keeps it, and nobody takes it for something else. */
const CAUTION = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
] as const;

function withCaution(response: Response): Response {
  for (const [name, value] of CAUTION) response.headers.set(name, value);
  return response;
}

/** Answers as texts: one that is given to many is written once. */
const written = new WeakMap<object, string>();

function textOf(value: object): string {
  const known = written.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  written.set(value, text);
  return text;
}

function capabilityRoute(
  app: Hono,
  capability: Capability,
  { ask, recall = () => undefined }: Pick<ApplicationOptions, "ask" | "recall">,
): void {
  const { id, effect } = capability;
  const path = routeOf(capability);
  const method = effect === "read" ? "GET" : "POST";
  let schema: unknown;
  app.on(method, path, async (context) => {
    const request = context.req.raw;
    const episode = request.headers.get("majordomus-episode") ?? undefined;
    // Made when it is first wanted: a server starts quickly.
    schema ??= describeCapability(capability).input;
    const input = effect === "read" ? addressInput(request, schema) : await bodyInput(request);
    const standing = effect === "read" ? recall(id, input, episode) : undefined;
    const answer: Given =
      standing ??
      (await withinTime(
        request.signal,
        LIMITS.milliseconds[effect],
        (signal) => ask(id, input, { signal, ...(episode === undefined ? {} : { episode }) }),
        ({ lost }) => lost?.(),
      ));
    if (answer.lost !== undefined) ifLostOnSocket(request, answer.lost);
    if (answer.ok) {
      return new Response(textOf(answer.value as object), {
        headers: { "content-type": "application/json" },
      });
    }
    throw errorOfAnswer(answer.error);
  });
  app.all(path, () => {
    throw new Refusal(
      405,
      { code: "http.method", subject: path, message: `answers ${method} alone` },
      { allow: method },
    );
  });
}

function reportedError(error: unknown): MajordomusError {
  if (error instanceof MajordomusError) return error;
  // What nobody foresaw is for the server's own log, not for a client.
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`majordomus: ${told}\n`);
  return new MajordomusError({ code: "internal", exit: EXIT.internal, message: "the server failed" });
}

/**
 * Makes the server's answers: one route for every capability of the registry, and those that say who answers.
 * Nothing here knows a socket, a lease or a pool.
 */
export function createApplication(options: ApplicationOptions): Application {
  const { root, ask, state, attendance, now = () => performance.now() } = options;
  let mcp: Promise<McpEndpoint> | undefined;
  const app = new Hono();
  app.onError((error) => failureResponse(reportedError(error)));
  app.notFound((context: Context) =>
    failureResponse(
      new Refusal(404, {
        code: "http.route",
        subject: new URL(context.req.url).pathname,
        message: "is not a route",
        remedy: "`GET /openapi.json` lists them",
      }),
    ),
  );
  app.use(createGuard(options));
  app.on(
    METHODS_WITH_BODY,
    "*",
    bodyLimit({
      maxSize: LIMITS.bodyBytes,
      onError: () => {
        // The connection stays, and what still comes is thrown away for a moment: ended at once, it takes the answer along.
        throw new Refusal(413, { code: "http.size", message: `a body may have ${LIMITS.bodyBytes} bytes` });
      },
    }),
  );
  app.get("/api/v1/live", (context) => context.json({ live: true }));
  app.get("/api/v1/ready", (context) => {
    const ready = state().leaseholder;
    return context.json({ ready }, ready ? 200 : 503);
  });
  app.get("/", (context) => context.json({ name: "majordomus", version: VERSION, root, ...state() }));
  app.get("/openapi.json", (context) => context.json(describeRoutes()));
  app.get("/docs", () => documentationPage());
  app.all("/mcp", async (context) => {
    // Scripts that ask over plain HTTP do not wait for it.
    mcp ??= import("../mcp/http.ts").then(({ createMcpEndpoint }) =>
      createMcpEndpoint({
        ask,
        isLeaseholder: () => state().leaseholder,
        ...(attendance === undefined ? {} : { attendance }),
        now,
      }),
    );
    return (await mcp).fetch(context.req.raw);
  });
  for (const capability of CAPABILITIES) capabilityRoute(app, capability, options);
  return {
    fetch: async (request) => withCaution(await app.fetch(request)),
    // What stands on every path is the guard.
    routes: new Set(app.routes.map(({ path }) => path).filter((path) => path !== "/*")),
    close: async () => (await mcp)?.close(),
  };
}
