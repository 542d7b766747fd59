import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { makeDemo } from "../../src/cli/demo/make.ts";
import { fixedClock } from "../../src/core/base/clock.ts";
import { formatTimestamp } from "../../src/core/base/time.ts";
import { routeOf, toolOf } from "../../src/core/capabilities/address.ts";
import { CAPABILITIES } from "../../src/core/capabilities/registry.ts";
import { runCapability } from "../../src/core/capabilities/run.ts";
import { openCheckout } from "../../src/core/checkout/open.ts";
import type { Checkout } from "../../src/core/checkout/checkout.ts";
import { surroundingsOf } from "../../src/workers/surroundings.ts";
import { FULL } from "../support/full.ts";
import { connectClient, httpTransport, listenFor, REVISIONS } from "../support/mcp.ts";
import { serveDirectory } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

const READINGS = CAPABILITIES.filter(({ effect }) => effect === "read");

let directory: string;
let checkout: Checkout;
let server: TestServer;
let close: (() => Promise<void>) | undefined;
const clients: Client[] = [];
let inputs: Record<string, Record<string, unknown>>;

/** What readings are asked that want to be told what of; everything else is asked without an input. */
async function chooseInputs(): Promise<Record<string, Record<string, unknown>>> {
  const ask = async <Answer>(id: string, input: object = {}): Promise<Answer> =>
    (await runCapability(checkout, id, input)) as Answer;
  const { newest } = await ask<{ newest: { session_id: string; path: string }[] }>("lifecycle.closed");
  const { candidates } = await ask<{ candidates: { id: string }[] }>("knowledge.candidates", { all: true });
  const { decisions } = await ask<{ decisions: { title: string }[] }>("decision.list");
  const { files } = await ask<{ files: { name: string }[] }>("capsule.list");
  const { prompts } = await ask<{ prompts: { name: string }[] }>("prompts.list");
  const { records } = await ask<{ records: { id: string }[] }>("continuity.records");
  return {
    "history.query": { limit: 20, event: "session.started" },
    "session.show": { session_id: newest[0]?.session_id },
    "record.read": { path: newest[0]?.path },
    "record.hints": { head: checkout.head },
    "knowledge.show": { id: candidates[0]?.id },
    "decision.show": { decision: decisions[0]?.title },
    "capsule.show": { capsule: files[0]?.name },
    "prompts.show": { name: prompts[0]?.name },
    "prompts.render": { name: prompts[0]?.name },
    "continuity.show": { record: records[0]?.id },
    "search.run": { text: "the", kinds: ["session", "handover"] },
  };
}

function queryOf(input: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "majordomus-test-")));
  const now = Date.UTC(2026, 10, 30, 12, 0, 0);
  const demo = await makeDemo(directory, now, { ...process.env, USER: "tester" }, () => undefined);
  const environment = { ...demo.environment, MAJORDOMUS_NOW: formatTimestamp(now) };
  checkout = await openCheckout(demo.root, { ...surroundingsOf(environment), clock: fixedClock(now) });
  inputs = await chooseInputs();
  server = serveDirectory(demo.root, environment);
  const reachable = await listenFor(server);
  ({ close } = reachable);
  for (const revision of REVISIONS) {
    const client = await connectClient(httpTransport(reachable.address), revision);
    // Whoever has listed the tools is checked against what they say they answer.
    await client.listTools();
    clients.push(client);
  }
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await close?.();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(READINGS.map((capability) => [capability.id, capability] as const))("%s", (id, capability) => {
  it("answers the same on every surface, and as it is declared", async () => {
    const input = inputs[id] ?? {};
    const expected: unknown = JSON.parse(JSON.stringify(await runCapability(checkout, id, input)));
    const parsed = capability.output.safeParse(expected);
    expect(parsed.error?.issues ?? []).toEqual([]);
    const response = await server.get(`${routeOf(capability)}${queryOf(input)}`);
    expect(await response.json()).toEqual(expected);
    for (const client of FULL ? clients : [clients[READINGS.indexOf(capability) % clients.length]]) {
      if (client === undefined) continue;
      const called = await client.callTool({ name: toolOf(capability), arguments: input });
      expect(called.structuredContent).toEqual(expected);
      expect(called.content).toEqual([{ type: "text", text: JSON.stringify(expected) }]);
    }
  });
});
