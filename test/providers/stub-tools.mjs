// A loopback model for two APIs: asks once for the first offered tool whose name ends as STUB_TOOL says, then replies.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const { STUB_PORT = "8097", STUB_REQLOG = "/tmp/tools.log", STUB_TOOL = "" } = process.env;
let count = 0;

const wanted = (names) => names.find((name) => name?.endsWith(STUB_TOOL));

/** OpenAI's Responses: events that end with `response.completed`. */
function respond(response, { input = [], tools = [] }) {
  count += 1;
  const id = `resp_${count}`;
  const servers = tools.filter(({ type }) => type === "namespace");
  const space = servers.find((one) => wanted((one.tools ?? []).map(({ name }) => name)));
  const name = wanted((space?.tools ?? tools).map((tool) => tool.name));
  const answered = input.some(({ type }) => type === "function_call_output");
  const call = { type: "function_call", id: `fc_${count}`, call_id: `call_${count}`, name, arguments: "{}" };
  if (space !== undefined) call.namespace = space.name;
  const content = [{ type: "output_text", text: "Done." }];
  const reply = { type: "message", id: `msg_${count}`, role: "assistant", content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const events = [
    ["response.created", { response: { id } }],
    ["response.output_item.done", { output_index: 0, item: name && !answered ? call : reply }],
    ["response.completed", { response: { id, usage } }],
  ];
  response.setHeader("content-type", "text/event-stream");
  for (const [type, facts] of events) {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...facts })}\n\n`);
  }
  response.end();
}

/** Gemini's generateContent, whole or as one event. */
function generate(response, url, { contents = [], tools = [], generationConfig = {} }) {
  const name = wanted(tools.flatMap((tool) => (tool.functionDeclarations ?? []).map((one) => one.name)));
  const answered = JSON.stringify(contents).includes("functionResponse");
  // Which model to take, and who speaks next, is asked of a model as well.
  const judged = JSON.stringify({ reasoning: "-", model_choice: "flash", next_speaker: "user" });
  const plain = generationConfig.responseMimeType?.includes("json") ? judged : "Done.";
  const part = name && !answered ? { functionCall: { name, args: {} } } : { text: plain };
  const answer = JSON.stringify({
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  });
  const streamed = url.includes("stream");
  response.setHeader("content-type", streamed ? "text/event-stream" : "application/json");
  response.end(streamed ? `data: ${answer}\r\n\r\n` : answer);
}

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString("utf8");
    appendFileSync(STUB_REQLOG, `${request.url} ${text}\n`);
    const body = text === "" ? {} : JSON.parse(text);
    if (request.url.includes("responses")) respond(response, body);
    else if (request.url.includes("enerateContent")) generate(response, request.url, body);
    else response.end(JSON.stringify({ object: "list", data: [], models: [], totalTokens: 1 }));
  });
}).listen(Number(STUB_PORT), "127.0.0.1");
