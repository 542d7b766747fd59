import { request as newRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { listen } from "../../../src/server/http/listen.ts";
import type { Listening } from "../../../src/server/http/listen.ts";
import { serve, TOKEN } from "../../support/server.ts";

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

describe("the whole server on a socket", () => {
  const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n`;

  it("takes a body in chunks, and a DELETE without any", async () => {
    const asked: unknown[] = [];
    const server = serve(async (_id, input) => {
      asked.push(input);
      return { ok: true, value: {} };
    });
    const port = await start(server.application.fetch);
    server.state.port = port;
    const placed = headers.replace("127.0.0.1", `127.0.0.1:${port}`);
    const body = '{"question":"Which way?"}';
    const chunked =
      `POST /api/v1/question/add HTTP/1.1\r\n${placed}Content-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect(await exchange(port, chunked)).toMatch(/^HTTP\/1.1 200 /);
    expect(asked).toEqual([{ question: "Which way?" }]);
    expect(await exchange(port, `DELETE /mcp HTTP/1.1\r\n${placed}Mcp-Session-Id: gone\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 404 /,
    );
  });

  it("stops reading a body that is too long, whether it says how long it is or not", async () => {
    const server = serve(async () => ({ ok: true, value: {} }));
    const port = await start(server.application.fetch);
    server.state.port = port;
    // A connection that is ended beside the answer loses one answer of ten.
    for (const duplex of ["whole", ...Array.from({ length: 30 }, () => "chunks")]) {
      const part = "x".repeat(1024 * 1024);
      const body =
        duplex === "whole" ? part.repeat(10) : Readable.from(Array.from({ length: 10 }, () => part));
      const status = await new Promise((resolve, reject) => {
        const asking = newRequest(
          `http://127.0.0.1:${port}/api/v1/question/add`,
          {
            method: "POST",
            headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          },
          (response) => resolve(response.statusCode),
        );
        asking.on("error", reject);
        if (typeof body === "string") asking.end(body);
        else body.pipe(asking);
      });
      expect(status, duplex).toBe(413);
    }
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/live`)).status).toBe(200);
  });
});

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
