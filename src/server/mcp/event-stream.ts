/**
 * The messages of a stream of events, as JSON-RPC over HTTP has them: one JSON text in the data of each event.
 *
 * @throws SyntaxError for data that is no JSON; whatever reading the body throws.
 */
export async function* messagesOfStream(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let left = "";
  for await (const chunk of body) {
    const events = (left + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/u);
    left = events.pop() ?? "";
    for (const event of events) {
      const data = event
        .split(/\r?\n/u)
        .flatMap((line) => /^data: ?(?<data>.*)$/su.exec(line)?.groups?.["data"] ?? []);
      // What has no data keeps the connection open, and says nothing.
      if (data.length > 0) yield JSON.parse(data.join("\n")) as unknown;
    }
  }
}
