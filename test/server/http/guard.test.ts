import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/server/limits.ts";
import { serve, PORT, TOKEN } from "../../support/server.ts";

const PATH = "/api/v1/prompts/list";

/** Who is let in does not depend on what is answered. */
const newServer = (options = {}) => serve(async () => ({ ok: true, value: {} }), options);

async function codeOf(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
}

describe("the token", () => {
  it.each([
    ["nothing", {}],
    ["another", { authorization: "Bearer another" }],
    ["its beginning", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["an empty one", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Token ${TOKEN}` }],
    ["a password where no page is", { authorization: `Basic ${btoa(`me:${TOKEN}`)}` }],
  ])("is not %s", async (_, headers) => {
    const response = await newServer().raw(PATH, { headers });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await codeOf(response)).toEqual([401, "http.token"]);
  });

  it("lets in whoever knows it", async () => {
    const response = await newServer().get(PATH);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("is wanted before anything is told about a route, a method or a body", async () => {
    const server = newServer();
    expect(await codeOf(await server.raw("/api/v1/nothing"))).toEqual([401, "http.token"]);
    expect(await codeOf(await server.raw(PATH, { method: "POST", body: "{" }))).toEqual([401, "http.token"]);
  });
});

describe("the place that a request comes from", () => {
  it.each([
    "evil.example",
    `evil.example:${PORT}`,
    "127.0.0.1:80",
    "127.0.0.1",
    `127.0.0.1.evil.example:${PORT}`,
    `localhost@evil.example:${PORT}`,
  ])("may not have the host %s", async (host) => {
    const response = await newServer().get(PATH, { host });
    expect(await codeOf(response)).toEqual([403, "http.host"]);
  });

  it.each([`localhost:${PORT}`, `[::1]:${PORT}`, `LOCALHOST:${PORT}`])(
    "may have the host %s",
    async (host) => {
      expect((await newServer().get(PATH, { host })).status).toBe(200);
    },
  );

  it.each([
    "http://evil.example",
    "null",
    "http://127.0.0.1:1",
    `https://127.0.0.1:${PORT}`,
    `http://127.0.0.1:${PORT}.evil.example`,
  ])("may not have the origin %s", async (origin) => {
    const response = await newServer().get(PATH, { origin });
    expect(await codeOf(response)).toEqual([403, "http.origin"]);
  });

  it("may be this server's own page", async () => {
    const origin = `http://127.0.0.1:${PORT}`;
    expect((await newServer().get(PATH, { origin })).status).toBe(200);
  });
});

describe("an answer, whatever it says", () => {
  it.each([
    ["a reading", PATH, 200],
    ["a refusal", "/", 401],
    ["no route", "/api/v1/nothing", 404],
    ["a page", "/docs", 200],
    ["what MCP says", "/mcp", 400],
  ])("%s is kept by nobody, and taken for nothing else", async (_, path, status) => {
    const server = newServer();
    const asking =
      path === "/mcp" ? server.post(path, {}) : status === 401 ? server.raw(path) : server.get(path);
    const { headers, status: given } = await asking;
    expect(given).toBe(status);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("how often", () => {
  it("guessing is refused, while whoever knows the token goes on", async () => {
    let now = 0;
    const server = newServer({ now: () => now });
    for (let count = 0; count < LIMITS.unknown.burst; count += 1) await server.raw(PATH);
    const refused = await server.raw(PATH);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await codeOf(refused)).toEqual([429, "http.rate"]);
    expect((await server.get(PATH)).status).toBe(200);
    now += 1000;
    expect((await server.raw(PATH)).status).toBe(401);
  });
});
