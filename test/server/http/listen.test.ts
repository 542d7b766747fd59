import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { listen } from "../../../src/server/http/listen.ts";
import type { Listening } from "../../../src/server/http/listen.ts";

let listening: Listening | undefined;

afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

async function start(fetch: (request: Request) => Promise<Response> = async () => new Response("here")) {
  listening = await listen(fetch, 0);
  return listening.port;
}

/** Sends bytes and reads what comes until the other side closes. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describe("the socket", () => {
  it("answers on the loopback address, on a port that was free", async () => {
    const port = await start();
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  });

  it("is refused by name when its port is another's", async () => {
    const port = await start();
    await expect(listen(async () => new Response(), port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("goes on when a client speaks no HTTP, sends half a request, or vanishes while it is answered", async () => {
    const aborted: boolean[] = [];
    const port = await start(async (request) => {
      if (!request.url.endsWith("/slow")) return new Response("here");
      await new Promise<void>((resolve) => {
        request.signal.addEventListener("abort", () => {
          aborted.push(true);
          resolve();
        });
      });
      return new Response("too late");
    });
    expect(await exchange(port, "no http at all\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    const half = connect(port, "127.0.0.1", () => half.write("GET / HTTP/1.1\r\nHost: 127"));
    const vanishing = connect(port, "127.0.0.1", () => {
      vanishing.write(`GET /slow HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`, () =>
        setTimeout(() => vanishing.destroy(), 50),
      );
    });
    while (aborted.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
    expect(aborted).toEqual([true]);
    half.destroy();
  });

  it("ends with every connection that is still open", async () => {
    const port = await start(() => new Promise(() => undefined));
    const waiting = fetch(`http://127.0.0.1:${port}/`);
    waiting.catch(() => undefined);
    const open = connect(port, "127.0.0.1");
    open.on("error", () => undefined);
    await new Promise((resolve) => open.once("connect", resolve));
    await listening?.close();
    listening = undefined;
    await expect(waiting).rejects.toThrow();
  });
});
