import { describe, expect, it } from "vitest";
import { messagesOfStream } from "../../../src/server/mcp/event-stream.ts";

async function read(...chunks: (string | Uint8Array)[]): Promise<unknown[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  const messages: unknown[] = [];
  for await (const message of messagesOfStream(body)) messages.push(message);
  return messages;
}

describe("a stream of events", () => {
  it("gives the message of each event, wherever the chunks are cut", async () => {
    const text =
      'event: message\ndata: {"id":1}\n\n: keepalive\n\nid: 7\r\ndata:{"id":\r\ndata: "é"}\r\n\r\n';
    expect(await read(text)).toEqual([{ id: 1 }, { id: "é" }]);
    const bytes = new TextEncoder().encode(text);
    expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([{ id: 1 }, { id: "é" }]);
  });

  it("gives nothing of an event that broke off, and refuses what is no message", async () => {
    expect(await read('data: {"id":1}\n\ndata: {"id"')).toEqual([{ id: 1 }]);
    await expect(read("data: hello\n\n")).rejects.toThrow(SyntaxError);
  });
});
