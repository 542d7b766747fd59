import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as newRequest } from "node:http";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { formatTimestamp } from "../../src/core/base/time.ts";
import { createAsking } from "../../src/server/asking.ts";
import type { Asking } from "../../src/server/asking.ts";
import { listen } from "../../src/server/http/listen.ts";
import { ifLostOnSocket } from "../../src/server/http/lost-answer.ts";
import { createBridge } from "../../src/server/mcp/bridge.ts";
import { LineTransport } from "../../src/server/mcp/line-transport.ts";
import { createMcpServer } from "../../src/server/mcp/server.ts";
import { capsuleText } from "../core/capsule/support/memory.ts";
import { newPlace } from "../support/checkout.ts";
import { addressOf, httpTransport, newClient, REVISIONS } from "../support/mcp.ts";
import { poolHere, serve, TOKEN } from "../support/server.ts";

/** A promise that the test fulfils. */
function gate<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

interface Spent extends Asking {
  text: string;
  read: () => string;
  /** Fulfilled once it is spent; the answer is held back from then on. */
  spent: Promise<void>;
  /** Lets the answer go, as soon as whoever asked is known to be gone where that is waited for. */
  answer: (wait?: "when gone") => void;
}

/** A checkout with one capsule, whose procedure comes when the test says so. */
async function newCapsule(): Promise<Spent & { address: string }> {
  const place = await newPlace();
  const environment = {
    ...place.surroundings.environment,
    MAJORDOMUS_NOW: formatTimestamp(place.clock.now()),
  };
  const capsules = join(place.root, ".ai/local/memory/capsules");
  mkdirSync(capsules, { recursive: true });
  const path = join(capsules, "one.md");
  const text = capsuleText({ id: "one", created_at: formatTimestamp(place.clock.now()) });
  writeFileSync(path, text);
  const here = poolHere(environment);
  const spent = gate<undefined>();
  const gone = gate<undefined>();
  const released = gate<"when gone" | undefined>();
  const asking = createAsking({
    root: place.root,
    environment,
    pool: {
      ...here,
      run: async (root, id, input, options = {}) => {
        options.signal?.addEventListener("abort", () => gone.resolve(undefined), { once: true });
        const answer = await here.run(root, id, input, options);
        spent.resolve(undefined);
        if ((await released.promise) === "when gone") await gone.promise;
        return answer;
      },
    },
  });
  const { application, state } = serve(asking.ask, { root: place.root });
  const address = await addressOf({
    state,
    application: {
      ...application,
      fetch: (request) => {
        request.signal.addEventListener("abort", () => gone.resolve(undefined));
        return application.fetch(request);
      },
    },
  });
  return {
    ...asking,
    address,
    text,
    read: () => readFileSync(path, "utf8"),
    spent: spent.promise,
    answer: released.resolve,
  };
}

function post(address: string) {
  const asking = newRequest(`${address}/api/v1/capsule/resume`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
  });
  asking.on("error", () => undefined);
  asking.end('{"spend":true}');
  return asking;
}

const isSpent = (text: string): boolean => text.includes("status: resumed");

describe("a capsule that is spent over HTTP", () => {
  it("stays spent where its procedure was read, and nothing of the file goes along", async () => {
    const { address, answer, read, settled } = await newCapsule();
    answer();
    const told = await new Promise<string>((resolve) => {
      post(address).on("response", (response) => {
        let body = "";
        response.on("data", (bytes: Buffer) => (body += bytes.toString("utf8")));
        response.on("end", () => resolve(body));
      });
    });
    expect(told).toContain("[RESUME VERB]");
    expect(told).not.toContain("spendings");
    await settled();
    expect(isSpent(read())).toBe(true);
  });

  it("is given back where its client was gone before", async () => {
    const { address, spent, answer, read, text } = await newCapsule();
    const asking = post(address);
    await spent;
    expect(isSpent(read())).toBe(true);
    answer("when gone");
    asking.destroy();
    await vi.waitFor(() => expect(read()).toBe(text));
  });
});

describe.each(REVISIONS)("a capsule that is spent over MCP, in revision %s", (revision) => {
  const tool = { name: "majordomus_capsule_resume", arguments: { spend: true } };

  it("stays spent where its procedure was read", async () => {
    const { address, answer, read, settled } = await newCapsule();
    answer();
    const client = await newClient(httpTransport(address), revision);
    expect((await client.callTool(tool)).structuredContent).toMatchObject({ spent: true });
    await settled();
    expect(isSpent(read())).toBe(true);
  });

  it.each(["cancelled", "left"])("is given back where its client %s", async (how) => {
    const { address, spent, answer, read, text } = await newCapsule();
    const client = await newClient(httpTransport(address), revision);
    const cancelled = new AbortController();
    const called = client.callTool(tool, { signal: cancelled.signal }).catch(() => undefined);
    await spent;
    answer("when gone");
    if (how === "left") await client.close();
    else cancelled.abort();
    await called;
    await vi.waitFor(() => expect(read()).toBe(text));
  });
});

describe("a capsule that is spent over standard input and output", () => {
  const call = {
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "majordomus_capsule_resume", arguments: { spend: true } },
  };
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a-test", version: "1" },
    },
  };

  it.each(["reads", "is gone", "is gone while it is answered"])(
    "is spent or given back as its reader %s",
    async (reader) => {
      const capsule = await newCapsule();
      const { spent, answer, read, text, ask, settled } = capsule;
      let told = "";
      let gone = false;
      const stdin = new PassThrough();
      const stdout = new Writable({
        write: (bytes: Buffer, _, done) => {
          if (!gone) told += bytes.toString("utf8");
          done(gone ? Object.assign(new Error("EPIPE"), { code: "EPIPE" }) : null);
        },
      });
      stdout.on("error", () => undefined);
      const transport = new LineTransport({ stdin, stdout, log: () => undefined });
      const ifLost = (id: unknown, then: () => void): void => transport.ifLost(id, then);
      // As in the process beside an AI tool: there may be a server, and what is spent is spent here all the same.
      const bridge = createBridge({
        attach: async () => ({ url: "http://127.0.0.1:1", token: TOKEN }),
        alone: ask,
        client: () => "a-test",
        episode: () => undefined,
        now: () => 0,
      });
      const handle = serveStdio(() => createMcpServer({ ask: bridge.ask, ifLost, memory: {} }), {
        transport,
      });
      onTestFinished(() => handle.close());
      stdin.write(`${JSON.stringify(initialize)}\n`);
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
      stdin.write(`${JSON.stringify(call)}\n`);
      await spent;
      gone = reader !== "reads";
      if (reader === "is gone while it is answered") await handle.close();
      answer();
      await vi.waitFor(() => (gone ? expect(read()).toBe(text) : expect(told).toContain("[RESUME VERB]")));
      await settled();
      expect(isSpent(read())).toBe(!gone);
    },
  );
});

describe("what the system did not take of an answer", () => {
  it.each([
    ["is lost", "application/json", true],
    ["may have been read, of a stream", "text/event-stream", false],
  ])("%s", async (_, type, isLost) => {
    const long = "x".repeat(16 * 1024 * 1024);
    const lost = vi.fn<() => void>();
    const listening = await listen(async (request) => {
      await Promise.resolve();
      ifLostOnSocket(request, lost);
      return new Response(long, { headers: { "content-type": type } });
    }, 0);
    const asking = newRequest(`http://127.0.0.1:${listening.port}/`);
    asking.on("error", () => undefined);
    asking.on("response", (response) => response.once("data", () => asking.destroy()));
    asking.end();
    await new Promise((resolve) => asking.once("close", resolve));
    await listening.close();
    // The end of the response is told after that of its connection.
    await new Promise((resolve) => void setTimeout(resolve, 50));
    await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(isLost ? 1 : 0));
  });
});
