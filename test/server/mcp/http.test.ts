import { describe, expect, it } from "vitest";
import { toolOf } from "../../../src/core/capabilities/address.ts";
import { CAPABILITIES } from "../../../src/core/capabilities/registry.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { newPlace } from "../../support/checkout.ts";
import { addressOf, httpTransport, newClient, REVISIONS } from "../../support/mcp.ts";
import { newServer, serve } from "../../support/server.ts";

const nothing = async () => ({ ok: true as const, value: {} });

describe.each(REVISIONS)("a client of revision %s, over HTTP", (revision) => {
  it("lists every capability as a tool, and calls them", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const address = await addressOf(newServer(place));
    const client = await newClient(httpTransport(address), revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(CAPABILITIES.map(toolOf));
    const { structuredContent, content } = await client.callTool({ name: "majordomus_lifecycle_episodes" });
    expect(structuredContent).toEqual(await runCapability(await place.checkout(), "lifecycle.episodes", {}));
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
  });

  it("acts for the episode that a call names, and is told what is wrong with an input", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("start", "two");
    const server = newServer(place);
    const client = await newClient(httpTransport(await addressOf(server)), revision);
    const { episodes } = (await client.callTool({ name: "majordomus_lifecycle_episodes" }))
      .structuredContent as { episodes: { session_id: string; standing: string }[] };
    const other = episodes.find(({ standing }) => standing === "open")?.session_id ?? "";
    await client.callTool({
      name: "majordomus_question_add",
      arguments: { question: "Which way?", as_episode: other },
    });
    const { lines } = (await client.callTool({ name: "majordomus_history_query", arguments: { limit: 1 } }))
      .structuredContent as { lines: { event: string; session: string }[] };
    expect(lines).toMatchObject([{ event: "question.opened", session: other }]);
    const refused = await client.callTool({
      name: "majordomus_lifecycle_closed",
      arguments: { windows: 1 },
    });
    expect(refused.isError).toBe(true);
    expect(refused.content).toEqual([
      { type: "text", text: expect.stringMatching(/^lifecycle\.closed: unknown key windows; /) },
    ]);
    const absent = await client.callTool({
      name: "majordomus_question_add",
      arguments: { question: "Which way?", as_episode: "s-20260904120000-ffff" },
    });
    expect(absent.isError).toBe(true);
  });

  it("is refused a tool and a resource that nothing declares", async () => {
    const client = await newClient(httpTransport(await addressOf(serve(nothing))), revision);
    await expect(client.callTool({ name: "majordomus_nothing" })).rejects.toThrow(
      /majordomus_nothing: is no tool of this server/,
    );
    await expect(client.readResource({ uri: "majordomus://nothing" })).rejects.toThrow(/is no resource/);
  });

  it("is refused without the token", async () => {
    const address = await addressOf(serve(nothing));
    await expect(newClient(httpTransport(address, "another"), revision)).rejects.toThrow(
      /401|token is missing or wrong/,
    );
  });
});

describe("a session of an older client", () => {
  const headers = { accept: "application/json, text/event-stream" };
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "an-older-one", version: "1" },
    },
  };
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };

  it("begins with initialize, is attended until it is deleted, and is then unknown", async () => {
    const seen: string[] = [];
    const server = serve(nothing, {
      attendance: {
        attach: ({ name }) => {
          seen.push(`attached ${name}`);
          return "p-1";
        },
        touch: (handle) => seen.push(`seen ${handle}`),
        detach: (handle) => seen.push(`left ${handle}`),
      },
    });
    const early = await server.post("/mcp", list, headers);
    expect([early.status, await early.json()]).toMatchObject([
      400,
      { error: { data: { code: "session_required" } } },
    ]);
    const begun = await server.post("/mcp", initialize, headers);
    expect(begun.status).toBe(200);
    const session = { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    await begun.text();
    await server.post("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" }, session);
    const listed = await server.post("/mcp", list, session);
    expect(await listed.text()).toContain("majordomus_continuity");
    const gone = await server.raw("/mcp", {
      method: "DELETE",
      headers: { ...session, authorization: server.authorization },
    });
    expect(gone.status).toBe(200);
    const unknown = await server.post("/mcp", list, session);
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { data: { code: "session_unknown" } } },
    ]);
    expect(seen).toEqual(["attached an-older-one", "seen p-1", "seen p-1", "left p-1"]);
  });

  it("remembers the episode that it named last", async () => {
    const asked: (string | undefined)[] = [];
    const server = serve(async (_id, _input, { episode } = {}) => {
      asked.push(episode);
      return { ok: true, value: {} };
    });
    const client = await newClient(httpTransport(await addressOf(server)), "2025-11-25");
    const name = "majordomus_session_status";
    await client.callTool({ name });
    await client.callTool({ name, arguments: { as_episode: "s-1" } });
    await client.callTool({ name });
    expect(asked).toEqual([undefined, "s-1", "s-1"]);
  });

  it("goes on with a server that lost its lease, while new clients are sent away", async () => {
    const server = serve(nothing);
    const begun = await server.post("/mcp", initialize, headers);
    await begun.text();
    server.state.leaseholder = false;
    const session = { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    expect((await server.post("/mcp", list, session)).status).toBe(200);
    const late = await server.post("/mcp", initialize, headers);
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { error: { data: { code: "lease_lost" } } },
    ]);
  });

  it("ends after an hour of silence, or when it is the longest silent of too many", async () => {
    let now = 0;
    const server = serve(nothing, { now: () => now });
    const begin = async (): Promise<string> => {
      const begun = await server.post("/mcp", initialize, headers);
      await begun.text();
      return begun.headers.get("mcp-session-id") ?? "";
    };
    const statusOf = async (id: string): Promise<number> =>
      (await server.post("/mcp", list, { ...headers, "mcp-session-id": id })).status;
    const first = await begin();
    now = 3_600_001;
    const second = await begin();
    expect(await statusOf(first)).toBe(404);
    for (let count = 0; count < 128; count += 1) {
      now += 1;
      await begin();
    }
    expect(await statusOf(second)).toBe(404);
  });
});
