import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readLease } from "../../../src/core/serving/lease.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { fakeProgram, putLease } from "../serving/support.ts";

/** A place whose starts know a program; what they start is ended with the test. */
async function servedPlace(): Promise<Place> {
  const place = await newPlace();
  place.surroundings.serverProgram = fakeProgram(join(place.root, ".git", "program")).path;
  const { layout } = await place.checkout();
  onTestFinished(() => {
    const reading = readLease({ layout });
    if (reading.kind === "held") process.kill(reading.lease.pid, "SIGKILL");
  });
  return place;
}

function serverLineOf(briefing: string | undefined): string | undefined {
  return /^Shared server: (.*)$/m.exec(briefing ?? "")?.[1];
}

function policyOf(place: Place, change: (text: string) => string): void {
  const path = join(place.root, ".ai/repo/policy.yaml");
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

/** What the journal says of the step of the newest start. */
async function stepOf(place: Place): Promise<unknown> {
  const { common, worktreeIdentity } = await place.checkout();
  const lines = readFileSync(join(common.events, `${worktreeIdentity}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  const outcome = JSON.parse(lines.at(-1) ?? "{}") as { steps?: { step: string; result: string }[] };
  return outcome.steps?.find(({ step }) => step === "server")?.result;
}

it("a start of a session starts the server, and the next one finds it starting", async () => {
  const place = await servedPlace();
  const first = serverLineOf(await place.fire("start", "one"));
  expect(first).toMatch(/^starting pid \d+$/);
  expect(await stepOf(place)).toBe("done");
  expect(serverLineOf(await place.fire("start", "two"))).toBe(first);
  const { layout } = await place.checkout();
  const reading = readLease({ layout });
  if (reading.kind !== "held") throw new Error(reading.kind);
  putLease(
    { ...(await place.checkout()) },
    { ...reading.lease, state: "ready", url: "http://127.0.0.1:8741" },
  );
  expect(serverLineOf(await place.fire("start", "three"))).toBe(
    `ready http://127.0.0.1:8741 pid ${reading.lease.pid}`,
  );
});

it("starts none where the policy, or the environment, does not want one, and says so", async () => {
  const place = await servedPlace();
  place.surroundings.environment = { ...place.surroundings.environment, MAJORDOMUS_SERVER: "off" };
  expect(serverLineOf(await place.fire("start", "one"))).toBe("not ensured: MAJORDOMUS_SERVER is off");
  policyOf(place, (text) => text.replace("ensure_server_on_start: true", "ensure_server_on_start: false"));
  const line = serverLineOf(await place.fire("start", "two"));
  expect(line).toBe("not ensured: session.ensure_server_on_start is false");
  expect(await stepOf(place)).toBe("skipped");
  expect(existsSync(join((await place.checkout()).layout.state, "mcp"))).toBe(false);
});

it("says what keeps it from starting one, and opens the episode all the same", async () => {
  const place = await servedPlace();
  putLease(await place.checkout(), { url: "http://127.0.0.1:9", token: "theirs" });
  expect(serverLineOf(await place.fire("start", "one"))).toBe(
    "not ensured: .ai/local/state/mcp/server.json is no lease of this program",
  );
  place.surroundings.serverProgram = join(place.root, "nowhere", "bin", "majordomus");
  writeFileSync(join((await place.checkout()).layout.state, "mcp", "server.json"), "");
  const briefing = await place.fire("start", "two");
  expect(serverLineOf(briefing)).toBe("not ensured: the executable is not built (run `npm run build`)");
  expect(await stepOf(place)).toBe("failed");
  expect(briefing).toMatch(/^Episode s-/m);
});

it("no other event, and no start of a sub-agent, starts one", async () => {
  const place = await servedPlace();
  for (const kind of ["prompt", "stop", "compact", "end"] as const) await place.fire(kind, "one");
  await place.fire("start", "two", { subagent: true });
  expect(existsSync(join((await place.checkout()).layout.state, "mcp"))).toBe(false);
});
