import { describe, expect, it, onTestFinished } from "vitest";
import type { Ask } from "../../../src/server/ask.ts";
import { createBridge } from "../../../src/server/mcp/bridge.ts";
import type { BridgeOptions, SharedServer } from "../../../src/server/mcp/bridge.ts";
import { listenFor } from "../../support/mcp.ts";
import { serve, TOKEN } from "../../support/server.ts";

/** A server that answers every question with its own name, and notes what it was asked. */
async function newServer(name: string, answer?: Ask) {
  const asked: string[] = [];
  const attended: string[] = [];
  const ask: Ask = async (id, input, options = {}) => {
    asked.push(options.episode === undefined ? id : `${id} for ${options.episode}`);
    return answer === undefined ? { ok: true, value: { name } } : answer(id, input, options);
  };
  const server = serve(ask, {
    attendance: {
      attach: (client) => {
        attended.push(`attached ${client.name}`);
        return name;
      },
      touch: () => undefined,
      detach: (handle) => attended.push(`left ${handle}`),
    },
  });
  const reachable = await listenFor(server);
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await reachable.close();
    open = false;
  };
  onTestFinished(close);
  const shared: SharedServer = { url: reachable.address, token: TOKEN };
  return { asked, attended, close, shared, state: server.state };
}

function newBridge(more: Partial<BridgeOptions>) {
  return createBridge({
    attach: async () => undefined,
    alone: async () => ({ ok: true, value: { name: "alone" } }),
    client: () => "a-tool",
    episode: () => undefined,
    now: () => 0,
    ...more,
  });
}

describe("the bridge to a shared server", () => {
  it("begins one session, however many ask at once, and ends it", async () => {
    const { shared, asked, attended } = await newServer("one");
    const bridge = newBridge({ attach: async () => shared, episode: () => "s-own" });
    const answers = await Promise.all([
      bridge.ask("lifecycle.episodes", {}),
      bridge.ask("question.list", {}, { episode: "s-named" }),
    ]);
    expect(answers).toEqual(Array.from({ length: 2 }, () => ({ ok: true, value: { name: "one" } })));
    expect(asked.toSorted()).toEqual(["lifecycle.episodes for s-own", "question.list for s-named"]);
    await bridge.ping();
    await bridge.close();
    expect(attended).toEqual(["attached a-tool", "left one"]);
  });

  it("hands a failure over whole", async () => {
    const error = {
      code: "task.absent",
      exit: 12 as const,
      message: "there is no task",
      remedy: "start one",
    };
    const { shared } = await newServer("one", async () => ({ ok: false, error }));
    expect(await newBridge({ attach: async () => shared }).ask("check.run", {})).toEqual({
      ok: false,
      error,
    });
  });

  it("goes to the server that took the lease, and to one that was started anew", async () => {
    const [first, second, third] = [
      await newServer("first"),
      await newServer("second"),
      await newServer("third"),
    ];
    const places = [first.shared, second.shared, third.shared];
    const bridge = newBridge({ attach: async () => places.shift() });
    expect(await bridge.ask("question.list", {})).toMatchObject({ value: { name: "first" } });
    // The session is unknown to whoever answers at that address by now.
    await first.close();
    expect(await bridge.ask("question.list", {})).toMatchObject({ value: { name: "second" } });
    second.state.port = 1;
    await second.close();
    expect(await bridge.ask("question.add", { question: "?" })).toMatchObject({ value: { name: "third" } });
  });

  it("answers alone where there is no server, and looks for one again after a while", async () => {
    const { shared } = await newServer("late");
    let now = 0;
    let there: SharedServer | undefined;
    let looks = 0;
    const bridge = newBridge({
      attach: async () => {
        looks += 1;
        return there;
      },
      now: () => now,
    });
    expect(await bridge.ask("question.list", {})).toMatchObject({ value: { name: "alone" } });
    there = shared;
    expect(await bridge.ask("question.list", {})).toMatchObject({ value: { name: "alone" } });
    expect(looks).toBe(1);
    now = 15_000;
    expect(await bridge.ask("question.list", {})).toMatchObject({ value: { name: "late" } });
  });

  it("does not ask twice for an act that may have been done when the server vanished", async () => {
    let close = async (): Promise<void> => undefined;
    const server = await newServer("one", async () => {
      await close();
      return new Promise(() => undefined);
    });
    close = server.close;
    const bridge = newBridge({ attach: async () => server.shared });
    expect(await bridge.ask("question.add", { question: "?" })).toMatchObject({
      ok: false,
      error: { code: "server.lost" },
    });
    expect(server.asked).toHaveLength(1);
  });
});
