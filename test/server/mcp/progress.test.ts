import { describe, expect, it, vi } from "vitest";
import type { Ask, AskOptions } from "../../../src/server/ask.ts";
import { createBridge } from "../../../src/server/mcp/bridge.ts";
import { createProgressReport } from "../../../src/server/mcp/progress.ts";
import { addressOf, httpTransport, newClient, REVISIONS } from "../../support/mcp.ts";
import { serve, TOKEN } from "../../support/server.ts";

const LONG = "majordomus_knowledge_check";

/** Something long: it tells what it is told to tell, and ends when it is told to, or when nobody waits any more. */
function longWork() {
  const begun: AskOptions[] = [];
  let end: () => void = () => undefined;
  const ask: Ask = (_id, _input, options = {}) =>
    new Promise((resolve) => {
      begun.push(options);
      end = () => resolve({ ok: true, value: { it: "is done" } });
      options.signal?.addEventListener("abort", () =>
        resolve({ ok: false, error: { code: "cancelled", exit: 13, message: "was cancelled" } }),
      );
    });
  const hasBegun = () => vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 20_000 });
  return { ask, begun, hasBegun, end: () => end() };
}

describe("a report of progress", () => {
  it("tells numbers that grow, and nothing once the answer is there", () => {
    const told: unknown[] = [];
    const report = createProgressReport("a", async ({ params }) => void told.push(params));
    report.tell({ done: 0, what: "begin" });
    report.tell({ done: 2, total: 3, what: "two" });
    report.tell({ done: 2, total: 3, what: "again" });
    report.tell({ done: 1, total: 3, what: "back" });
    report.tell({ done: 3, total: 3, what: "three" });
    report.end();
    report.tell({ done: 4, what: "late" });
    expect(told).toEqual([
      { progressToken: "a", progress: 0, message: "begin" },
      { progressToken: "a", progress: 2, total: 3, message: "two" },
      { progressToken: "a", progress: 3, total: 3, message: "three" },
    ]);
  });
});

describe.each(REVISIONS)("a client of revision %s, over HTTP", (revision) => {
  it("hears how far its tool is before it gets the answer", async () => {
    const { ask, begun, hasBegun, end } = longWork();
    const client = await newClient(httpTransport(await addressOf(serve(ask))), revision);
    const heard: unknown[] = [];
    const answer = client.callTool({ name: LONG }, { onprogress: (progress) => heard.push(progress) });
    await hasBegun();
    begun[0]?.onProgress?.({ done: 1, total: 2, what: "one" });
    await vi.waitFor(() => expect(heard).toEqual([{ progress: 1, total: 2, message: "one" }]), {
      timeout: 20_000,
    });
    begun[0]?.onProgress?.({ done: 2, total: 2, what: "two" });
    end();
    expect((await answer).structuredContent).toEqual({ it: "is done" });
    expect(heard).toHaveLength(2);
  });

  it.each([
    ["that hears of it", { onprogress: () => undefined }],
    ["that only waits", {}],
  ])("stops its tool by cancelling the call, one %s", async (_, more) => {
    const { ask, begun, hasBegun } = longWork();
    const server = serve(ask);
    const client = await newClient(httpTransport(await addressOf(server)), revision);
    const controller = new AbortController();
    const answer = client.callTool({ name: LONG }, { ...more, signal: controller.signal });
    await hasBegun();
    if ("onprogress" in more) begun[0]?.onProgress?.({ done: 1, what: "one" });
    expect(begun[0]?.signal?.aborted).toBe(false);
    controller.abort();
    await expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(begun[0]?.signal?.aborted).toBe(true), { timeout: 20_000 });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(60);
  });
});

describe("a call of an older client's session", () => {
  const headers = { accept: "application/json, text/event-stream" };
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "an-older-one", version: "1" },
    },
  };

  async function newSession() {
    const work = longWork();
    const server = serve(work.ask);
    const begun = await server.post("/mcp", initialize, headers);
    await begun.text();
    const session = { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    const post = (message: object) => server.post("/mcp", { jsonrpc: "2.0", ...message }, session);
    const call = (meta: object = {}) =>
      post({ id: "c", method: "tools/call", params: { name: LONG, arguments: {}, ...meta } });
    const leave = () =>
      server.raw("/mcp", { method: "DELETE", headers: { ...session, authorization: server.authorization } });
    return { ...work, post, call, leave };
  }

  it("keeps no connection once it is cancelled, or its session has ended", async () => {
    const first = await newSession();
    const cancelled = first.call();
    await first.hasBegun();
    await first.post({ method: "notifications/cancelled", params: { requestId: "c" } });
    expect((await cancelled).status).toBe(202);
    const second = await newSession();
    const ended = second.call();
    await second.hasBegun();
    expect((await second.leave()).status).toBe(200);
    expect((await ended).status).toBe(202);
  });

  it.each(["cancelled", "left with its session"])("ends its stream when it is %s", async (how) => {
    const { call, hasBegun, begun, post, leave } = await newSession();
    const streamed = await call({ _meta: { progressToken: 1 } });
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    await hasBegun();
    if (how === "cancelled") await post({ method: "notifications/cancelled", params: { requestId: "c" } });
    else await leave();
    expect(await streamed.text()).toBe("");
    expect(begun[0]?.signal?.aborted).toBe(true);
  });
});

describe("a client that vanishes in the middle of its stream", () => {
  it("leaves an older session's work to its end, and a server that goes on", async () => {
    const { ask, begun, hasBegun, end } = longWork();
    const address = await addressOf(serve(ask));
    const client = await newClient(httpTransport(address), "2025-11-25");
    const vanishing = new AbortController();
    const post = (message: object, signal?: AbortSignal) =>
      fetch(`${address}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${TOKEN}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-session-id": (client.transport as { sessionId?: string }).sessionId ?? "",
        },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
        ...(signal === undefined ? {} : { signal }),
      });
    const params = { name: LONG, arguments: {}, _meta: { progressToken: 1 } };
    const streamed = await post({ id: "c", method: "tools/call", params }, vanishing.signal);
    await hasBegun();
    begun[0]?.onProgress?.({ done: 1, what: "one" });
    const reader = streamed.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("notifications/progress");
    vanishing.abort();
    await expect(reader?.read()).rejects.toThrow();
    begun[0]?.onProgress?.({ done: 2, what: "two" });
    expect(begun[0]?.signal?.aborted).toBe(false);
    end();
    expect((await client.listTools()).tools.length).toBeGreaterThan(60);
  });
});

describe("the bridge to a shared server", () => {
  async function newBridge() {
    const work = longWork();
    const url = await addressOf(serve(work.ask));
    const bridge = createBridge({
      attach: async () => ({ url, token: TOKEN }),
      alone: async () => ({ ok: true, value: "alone" }),
      client: () => "a-tool",
      episode: () => undefined,
      now: () => 0,
    });
    return { ...work, bridge };
  }

  it("hands on how far the server's work is", async () => {
    const { bridge, begun, hasBegun, end } = await newBridge();
    const heard: unknown[] = [];
    const answer = bridge.ask("knowledge.check", {}, { onProgress: (progress) => heard.push(progress) });
    await hasBegun();
    begun[0]?.onProgress?.({ done: 1, total: 2, what: "one" });
    await vi.waitFor(() => expect(heard).toEqual([{ done: 1, total: 2, what: "one" }]), { timeout: 20_000 });
    end();
    expect(await answer).toEqual({ ok: true, value: { it: "is done" } });
  });

  it.each([{ onProgress: () => undefined }, {}])(
    "stops the server's work when nobody waits, %o",
    async (more) => {
      const { bridge, begun, hasBegun } = await newBridge();
      const controller = new AbortController();
      const answer = bridge.ask("knowledge.check", {}, { ...more, signal: controller.signal });
      await hasBegun();
      controller.abort();
      expect(await answer).toMatchObject({ ok: false, error: { code: "cancelled" } });
      await vi.waitFor(() => expect(begun[0]?.signal?.aborted).toBe(true), { timeout: 20_000 });
    },
  );
});
