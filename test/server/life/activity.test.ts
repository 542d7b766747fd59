import { describe, expect, it } from "vitest";
import { watchActivity } from "../../../src/server/life/activity.ts";
import { reasonToEnd } from "../../../src/server/life/end-of-life.ts";

const TOKEN = "t".repeat(64);

function request(path: string, token = TOKEN): Request {
  return new Request(`http://127.0.0.1:8741${path}`, { headers: { authorization: `Bearer ${token}` } });
}

function clock(): { now: () => number; at: (milliseconds: number) => void } {
  let now = 0;
  return {
    now: () => now,
    at: (milliseconds) => {
      now = milliseconds;
    },
  };
}

/** An answer that goes on for as long as a test likes. */
function openStream(): { stream: Response; source: ReadableStreamDefaultController<Uint8Array> } {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      source = controller;
    },
  });
  if (source === undefined) throw new Error("a stream starts when it is made");
  return { stream: new Response(body, { headers: { "content-type": "text/event-stream" } }), source };
}

describe("a server's activity", () => {
  it("counts who knows the token and wants something, and nobody who only looks", async () => {
    const { now, at } = clock();
    const activity = watchActivity(async () => new Response("{}"), TOKEN, now);
    at(500);
    for (const path of ["/", "/api/v1/live", "/api/v1/ready", "/api/v1/server", "/api/v1/peers"]) {
      await activity.fetch(request(path));
    }
    await activity.fetch(request("/api/v1/continuity", "wrong"));
    expect(activity.quietFor()).toBe(500);
    await activity.fetch(request("/api/v1/continuity"));
    expect(activity.quietFor()).toBe(0);
    at(700);
    expect(activity.quietFor()).toBe(200);
  });

  it("is not quiet while an answer is under way, whatever becomes of it", async () => {
    const { now, at } = clock();
    let fail: (error: Error) => void = () => undefined;
    const activity = watchActivity(() => new Promise<Response>((_, reject) => (fail = reject)), TOKEN, now);
    const answer = activity.fetch(request("/api/v1/continuity"));
    at(1000);
    expect(activity.quietFor()).toBe(0);
    fail(new Error("broken"));
    await expect(answer).rejects.toThrow("broken");
    at(1500);
    expect(activity.quietFor()).toBe(500);
  });

  it.each(["read to its end", "left by its reader", "broken"])(
    "is not quiet while a stream is open, until it is %s",
    async (end) => {
      const { now, at } = clock();
      const { stream, source } = openStream();
      const activity = watchActivity(async () => stream, TOKEN, now);
      const response = await activity.fetch(request("/mcp"));
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      at(5000);
      expect(activity.quietFor()).toBe(0);
      // A stream goes on for as long as its client likes: an end does not wait for it.
      await activity.settle(60_000);
      const reader = response.body?.getReader();
      source.enqueue(new Uint8Array([1]));
      expect((await reader?.read())?.value).toEqual(new Uint8Array([1]));
      if (end === "left by its reader") await reader?.cancel();
      else if (end === "broken") {
        source.error(new Error("broken"));
        await expect(reader?.read()).rejects.toThrow("broken");
      } else {
        source.close();
        expect((await reader?.read())?.done).toBe(true);
      }
      at(6000);
      expect(activity.quietFor()).toBe(1000);
    },
  );
});

describe("an end", () => {
  const listens = {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "mcp-method": "subscriptions/listen" },
  };
  const calls = { method: "POST", headers: { authorization: `Bearer ${TOKEN}` } };

  it.each([
    ["waits for a call that tells how far it is", calls, true],
    ["waits for nobody who only listens", listens, false],
  ])("%s", async (_, init, waits) => {
    const { now, at } = clock();
    const { stream, source } = openStream();
    const activity = watchActivity(async () => stream, TOKEN, now);
    const response = await activity.fetch(new Request("http://127.0.0.1:8741/mcp", init));
    let settled = false;
    const settle = async (): Promise<void> => {
      await activity.settle(60_000);
      settled = true;
    };
    const settling = settle();
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(!waits);
    source.close();
    await response.text();
    at(1);
    await settling;
  });
});

describe("a server's end", () => {
  const alive = {
    interrupted: false,
    leaseholder: true,
    rootExists: true,
    quietFor: 0,
    idleMilliseconds: 900_000,
  };

  it.each([
    [{}, undefined],
    [{ quietFor: 899_999 }, undefined],
    [{ quietFor: 900_000 }, "nobody asked for anything for 900 s"],
    [{ leaseholder: false }, "another server took its place, or its lease was taken away"],
    [{ leaseholder: false, rootExists: false }, "the work tree is gone"],
    [{ interrupted: true, leaseholder: false }, "it was asked to"],
  ])("comes where %o: %s", (change, reason) => {
    expect(reasonToEnd({ ...alive, ...change })).toBe(reason);
  });
});
