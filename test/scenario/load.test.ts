import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FULL } from "../support/full.ts";
import { load } from "../support/load.ts";
import { runProgram } from "../support/binary.ts";
import { command, makePlace } from "./support/place.ts";

const REQUESTS = FULL ? 2_000 : 300;
const CONNECTIONS = FULL ? 50 : 20;
const PATHS = [
  "/api/v1/lifecycle/episodes",
  "/api/v1/lifecycle/recovery",
  "/api/v1/history/query?limit=20",
  "/api/v1/continuity",
  "/api/v1/prompts/list",
];

it("answers everybody without an error while hooks append", async () => {
  const place = await makePlace();
  expect((await command(place, ["serve", "ensure", "--wait", "20"])).status).toBe(0);
  try {
    const lease = readFileSync(join(place.root, ".ai/local/state/mcp/server.json"), "utf8");
    const { url, token } = JSON.parse(lease) as { url: string; token: string };
    const end = new AbortController();
    const hooks = async (): Promise<number> => {
      let fired = 0;
      while (!end.signal.aborted) {
        const payload = { hook_event_name: "UserPromptSubmit", session_id: `s${fired % 5}`, cwd: place.root };
        const { status } = await runProgram(["hook", "--provider", "claude-code"], {
          directory: place.root,
          environment: place.environment,
          input: JSON.stringify(payload),
        });
        expect(status).toBe(0);
        fired += 1;
      }
      return fired;
    };
    const appending = hooks();
    const outcome = await load({ url, token, paths: PATHS, requests: REQUESTS, connections: CONNECTIONS });
    end.abort();
    expect(await appending).toBeGreaterThan(0);
    expect(outcome.statuses).toEqual({ 200: REQUESTS });
    const { total } = (await (
      await fetch(`${url}/api/v1/history/query?event=session.started`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()) as { total: number };
    expect(total).toBeGreaterThan(0);
  } finally {
    expect((await command(place, ["serve", "stop", "--wait", "20"])).status).toBe(0);
  }
});
