import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/server/limits.ts";
import { LineTransport } from "../../../src/server/mcp/line-transport.ts";

const CALL = { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "a" } } as const;

/** A transport whose lines, answers and warnings are seen. */
async function connect() {
  const stdin = new PassThrough();
  const stdout = new PassThrough({ encoding: "utf8" });
  const warnings: string[] = [];
  const heard: JSONRPCMessage[] = [];
  const transport = new LineTransport({ stdin, stdout, log: (line) => warnings.push(line) });
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => heard.push(message) });
  await transport.start();
  const written = (): unknown[] =>
    String(stdout.read() ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
  const say = (...texts: (string | Buffer)[]): Promise<void> => {
    for (const text of texts) stdin.write(text);
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { transport, stdin, say, warnings, heard, written };
}

describe("the protocol, a message a line", () => {
  it.each([
    ["{broken", null, -32_700, "not JSON"],
    ['{"jsonrpc":"1.0","id":9,"method":"ping"}', 9, -32_600, "not a message of JSON-RPC 2.0"],
    ['{"jsonrpc":"2.0","id":"a","method":7}', "a", -32_600, "not a message of JSON-RPC 2.0"],
    ['[{"jsonrpc":"2.0","id":9,"method":"ping"}]', null, -32_600, "not a message of JSON-RPC 2.0"],
    ["7", null, -32_600, "not a message of JSON-RPC 2.0"],
    ["x".repeat(LIMITS.bodyBytes + 1), null, -32_600, `longer than ${LIMITS.bodyBytes} bytes`],
  ])(
    "answers a line that is no message, tells it in one line, and goes on: %.40s",
    async (line, id, code, what) => {
      const { say, warnings, heard, written } = await connect();
      await say(`${line}\n${JSON.stringify(CALL)}\n`);
      expect(written()).toEqual([{ jsonrpc: "2.0", id, error: { code, message: `the line is ${what}` } }]);
      expect(warnings).toEqual([`a line of the client is ${what}; it was answered with error ${code}`]);
      expect(heard).toEqual([CALL]);
    },
  );

  it("puts a message together that comes in pieces, and reads one that ends with the input", async () => {
    const { say, stdin, heard, warnings } = await connect();
    const call = { ...CALL, params: { name: "ä" } };
    const bytes = Buffer.from(`\r\n\n${JSON.stringify(call)}\r\n`);
    const middle = bytes.indexOf("ä") + 1;
    await say(bytes.subarray(0, middle), bytes.subarray(middle), JSON.stringify(CALL));
    expect(heard).toEqual([call]);
    stdin.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([call, CALL]);
    expect(warnings).toEqual([]);
  });

  it("knows what is not answered yet, after the input's end as well", async () => {
    const { transport, stdin, say } = await connect();
    await say(`${JSON.stringify(CALL)}\n${JSON.stringify({ ...CALL, id: "b" })}\n`);
    await say(`${JSON.stringify({ ...CALL, id: 5, method: "subscriptions/listen" })}\n`);
    stdin.end();
    let answered = false;
    const waitForAll = async (): Promise<void> => {
      await transport.calls.whenNone();
      answered = true;
    };
    const all = waitForAll();
    expect(transport.calls.count()).toBe(2);
    await transport.send({ jsonrpc: "2.0", id: 4, result: {} });
    await transport.send({ jsonrpc: "2.0", method: "notifications/progress", params: {} });
    expect(transport.calls.count()).toBe(1);
    expect(answered).toBe(false);
    await transport.send({ jsonrpc: "2.0", id: "b", error: { code: 1, message: "no" } });
    await all;
  });

  it("waits for no call that its client gave up", async () => {
    const { transport, say } = await connect();
    await say(`${JSON.stringify(CALL)}\n`);
    const params = { requestId: CALL.id };
    await say(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`);
    await transport.calls.whenNone();
    expect(transport.calls.count()).toBe(0);
  });
});
