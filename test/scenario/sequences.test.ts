import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { balanceOf, episodesOf, startStandIn } from "./support/episodes.ts";
import { claude, runHook, samplePayload, startClaude } from "./support/hooks.ts";
import { addWorktree, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { snapshot } from "./support/snapshot.ts";
import { countEvents, outcomeOf, outcomesOf, readAll, readStores, resultOf } from "./support/stores.ts";

const SILENT = { status: 0, stdout: "", stderr: "" };

/** An event of another provider, by the file of its sample, with the session and fields of the test. */
function send(
  place: Place,
  sample: string,
  fields: Record<string, unknown> = {},
  more: { declared?: string; environment?: Record<string, string> } = {},
): ReturnType<typeof runHook> {
  const [provider = "", name = ""] = [sample.split("/")[0], sample.split("/").at(-1)];
  return runHook(place, {
    event: name.split(".")[0] ?? "",
    provider: more.declared ?? provider,
    input: samplePayload(`${sample}.json`, { root: place.root, fields }),
    ...(more.environment === undefined ? {} : { environment: more.environment }),
  });
}

test("where hooks only look, a start tells what it would tell, and no byte of a store changes", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "real");
  // What was parsed is kept again while its file is young; that is no store.
  const stores = (): unknown =>
    Object.entries(snapshot(place.directory)).filter(([path]) => !path.includes("/cache"));
  const before = stores();
  const environment = { MJ_SESSION_DRY_RUN: "1" };
  const looked = await claude(place, "SessionStart", "a", { environment });
  expect(looked).toMatchObject({ status: 0, stderr: "" });
  expect(looked.stdout).toMatch(/^As of [\s\S]*\nEpisode \(none open\), on main/);
  for (const sample of ["UserPromptSubmit", "Stop", "PreCompact.auto", "SessionEnd.clear"]) {
    expect(await claude(place, sample, "real", { environment })).toMatchObject(SILENT);
  }
  const unusable = { event: "SessionStart", input: "{", environment };
  expect(await runHook(place, unusable)).toMatchObject(SILENT);
  expect(stores()).toEqual(before);
});

test("start, prompt, stop, end: one episode, one record, and only the start prints", async () => {
  const place = await makePlace();
  const start = await claude(place, "SessionStart", "a");
  expect(start.stdout).toMatch(/^As of \d{4}-.*; replaces earlier briefs\.\n/);
  for (const sample of ["UserPromptSubmit", "Stop", "SessionEnd.prompt_input_exit"]) {
    expect(await claude(place, sample, "a")).toMatchObject(SILENT);
  }
  const found = readAll(place.root);
  expect(found.records).toMatchObject([{ fields: { outcome: "closed" } }]);
  // Prompt and stop are signs of life; the ledger is told of starts, compactions and ends alone.
  expect(countEvents(found.ledger)).toEqual({
    "session.started": 1,
    "provider.event.received": 2,
    "session.closed": 1,
  });
  expect(resultOf(outcomeOf(found.receipts, "a", "Stop"), "heartbeat")).toBe("done");
});

test("start, SIGKILL, resume: the same episode goes on under the new process", async () => {
  const place = await makePlace();
  const [first, second] = [startStandIn(), startStandIn()];
  await claude(place, "SessionStart", "b", { pid: first.pid });
  const [before] = await episodesOf(place);
  await first.kill();
  const resumed = await claude(place, "SessionStart.resume-after-crash", "b", { pid: second.pid });
  expect(resumed.stdout).toContain(`Episode ${before?.session_id}`);
  expect(await episodesOf(place)).toMatchObject([{ session_id: before?.session_id, worker_state: "alive" }]);
  expect(readAll(place.root).contexts).toHaveLength(1);
  expect(await balanceOf(place)).toMatchObject({ started: 1, open: 1, unaccounted: 0 });
});

test("clear: the end of the old id and the start of the new one are a pair by their process", async () => {
  const place = await makePlace();
  const worker = startStandIn();
  await claude(place, "SessionStart", "old", { pid: worker.pid });
  const [old] = await episodesOf(place);
  await claude(place, "SessionEnd.clear", "old", { pid: worker.pid });
  const run = await claude(place, "SessionStart.clear", "new", { pid: worker.pid });
  expect(run.stdout).toContain(`It continues episode ${old?.session_id}.`);
  const found = readAll(place.root);
  expect(found.records).toMatchObject([{ fields: { session_id: old?.session_id, outcome: "closed" } }]);
  expect(found.registrations).toMatchObject([
    {
      raw_id: "new",
      continues: { session_id: old?.session_id, evidence: expect.stringContaining("one process") },
    },
  ]);
  const started = found.ledger.filter((line) => line.event === "session.started");
  expect(started[1]?.["continues"]).toBe(old?.session_id);
  expect([...found.open.keys()]).toEqual(["new"]);
  // The original's file has no such key, and would refuse one.
  expect(found.open.get("new")?.["continues"]).toBeUndefined();
});

test("clear without a known process, or seconds apart in another process: nothing is guessed", async () => {
  const place = await makePlace();
  const [one, two] = [startStandIn(), startStandIn()];
  await claude(place, "SessionStart", "old", { pid: one.pid });
  await claude(place, "SessionEnd.clear", "old", { pid: one.pid });
  await claude(place, "SessionStart.clear", "stranger", { pid: two.pid });
  await claude(place, "SessionStart.clear", "nameless");
  for (const registered of readAll(place.root).registrations) expect(registered.continues).toBeUndefined();
});

test("clear with both hooks at once, or in the wrong order, ends and opens all the same", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "old");
  await Promise.all([
    startClaude(place, { sample: "SessionEnd.clear", session: "old" }).end,
    startClaude(place, { sample: "SessionStart.clear", session: "new" }).end,
  ]);
  await claude(place, "SessionStart.clear", "newer");
  await claude(place, "SessionEnd.clear", "new");
  const found = readAll(place.root);
  expect([...found.open.keys()]).toEqual(["newer"]);
  expect(found.pointer).toBe(join("sessions-open", "newer.yaml"));
  expect(found.records).toHaveLength(2);
  expect(await balanceOf(place)).toMatchObject({ started: 3, closed: 2, open: 1, unaccounted: 0 });
});

test("a compaction inside a turn opens nothing new, and its start prints a briefing again", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "d");
  const [before] = await episodesOf(place);
  expect(await claude(place, "UserPromptSubmit", "d")).toMatchObject(SILENT);
  expect(await claude(place, "PreCompact.auto", "d")).toMatchObject(SILENT);
  expect(await claude(place, "SubagentStop", "d", { fields: { agent_type: "" } })).toMatchObject(SILENT);
  const compacted = await claude(place, "SessionStart.compact", "d");
  expect(compacted.stdout).toContain(`Episode ${before?.session_id}`);
  expect(await claude(place, "PostCompact", "d")).toMatchObject(SILENT);
  expect(await claude(place, "Stop", "d")).toMatchObject(SILENT);
  const found = readAll(place.root);
  expect(found.registrations).toHaveLength(1);
  expect(found.contexts).toHaveLength(1);
  expect(countEvents(found.ledger)).toEqual({ "session.started": 1, "provider.event.received": 3 });
  const kinds = found.ledger.filter((line) => line["provider_event"] !== undefined);
  expect(kinds.map((line) => line["provider_event"])).toEqual(["start", "compact", "start"]);
});

test("Gemini's end three times for one exit seals once", async () => {
  const place = await makePlace();
  await send(place, "gemini-cli/SessionStart");
  await send(place, "gemini-cli/BeforeAgent");
  const ends = await Promise.all([1, 2, 3].map(() => send(place, "gemini-cli/SessionEnd.exit")));
  for (const run of ends) expect(run).toMatchObject(SILENT);
  const found = readAll(place.root);
  expect(found.records).toMatchObject([{ fields: { outcome: "closed" } }]);
  expect(countEvents(found.ledger)["session.closed"]).toBe(1);
  expect(
    found.receipts.filter(({ event, phase }) => event === "SessionEnd" && phase === "outcome"),
  ).toHaveLength(3);
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("Codex ends while the user is at work: the resume opens a new episode that continues the sealed one", async () => {
  const place = await makePlace();
  await send(place, "codex/SessionStart");
  await send(place, "codex/UserPromptSubmit");
  await send(place, "codex/Stop");
  const [sealed] = await episodesOf(place);
  await send(place, "codex/SessionEnd");
  const record = readAll(place.root).records[0];
  expect(record?.fields).toMatchObject({ outcome: "interrupted", session_id: sealed?.session_id });
  expect(await send(place, "codex/SessionStart.resume")).toMatchObject(SILENT);
  await send(place, "codex/UserPromptSubmit");
  const found = readAll(place.root);
  expect(found.registrations).toMatchObject([
    { continues: { session_id: sealed?.session_id, evidence: "the same provider session id" } },
  ]);
  expect(found.records).toEqual([record]);
  expect(await balanceOf(place)).toMatchObject({ started: 2, closed: 1, open: 1, unaccounted: 0 });
});

test("Codex' start(startup) and start(compact) back to back are one episode", async () => {
  const place = await makePlace();
  await Promise.all([
    send(place, "codex/SessionStart"),
    send(place, "codex/SessionStart", { source: "compact" }),
  ]);
  const found = readAll(place.root);
  expect(found.registrations).toHaveLength(1);
  expect(countEvents(found.ledger)["session.started"]).toBe(1);
  expect(found.open.size).toBe(1);
});

test("Copilot's prompt before or beside its start opens the episode, and the start keeps it", async () => {
  const place = await makePlace();
  await Promise.all([
    send(place, "copilot-cli/userPromptSubmitted"),
    send(place, "copilot-cli/sessionStart"),
  ]);
  await send(place, "copilot-cli/userPromptSubmitted", { sessionId: "second" });
  const [prompted] = readAll(place.root).registrations.filter(({ raw_id }) => raw_id === "second");
  await send(place, "copilot-cli/sessionStart", { sessionId: "second" });
  const found = readAll(place.root);
  expect(found.registrations).toHaveLength(2);
  expect(found.registrations.find(({ raw_id }) => raw_id === "second")?.session_id).toBe(
    prompted?.session_id,
  );
  expect(countEvents(found.ledger)["session.started"]).toBe(2);
  expect(found.contexts).toHaveLength(2);
});

test("Claude's hook that is fed by Copilot belongs to Copilot, says so, and prints nothing", async () => {
  const place = await makePlace();
  for (const name of ["SessionStart", "UserPromptSubmit", "SessionEnd"]) {
    const run = await send(place, `copilot-cli/pascal/${name}`, {}, { declared: "claude-code" });
    expect(run).toMatchObject(SILENT);
  }
  const found = readAll(place.root);
  expect(found.ended).toMatchObject([{ provider: "copilot-cli" }]);
  for (const receipt of found.receipts) {
    expect(receipt).toMatchObject({ provider: "copilot-cli", declared: "claude-code" });
  }
  expect(found.ledger.find((line) => line.event === "provider.event.received")).toMatchObject({
    provider: "copilot-cli",
    declared: "claude-code",
    seen: "copilot-cli",
  });
});

test("Qwen's wordless prompt after each tool is no prompt: it opens nothing", async () => {
  const place = await makePlace();
  const wordless = { prompt: "", submitted_prompt: undefined };
  expect(await send(place, "qwen-code/UserPromptSubmit", wordless)).toMatchObject(SILENT);
  expect(readAll(place.root).registrations).toEqual([]);
  await send(place, "qwen-code/SessionStart");
  await send(place, "qwen-code/UserPromptSubmit");
  await send(place, "qwen-code/UserPromptSubmit", wordless);
  const found = readAll(place.root);
  expect(found.registrations).toHaveLength(1);
  expect(found.receipts.filter(({ phase }) => phase === "received")).toHaveLength(4);
});

test("a fork is paired with the session that its process left, and not with any other", async () => {
  const place = await makePlace();
  const [worker, other] = [startStandIn(), startStandIn()];
  await claude(place, "SessionStart", "parent", { pid: worker.pid });
  const [parent] = await episodesOf(place);
  await claude(place, "SessionStart", "bystander", { pid: other.pid });
  await claude(place, "SessionEnd.resume", "parent", { pid: worker.pid });
  await claude(place, "SessionEnd.other", "bystander", { pid: other.pid });
  await claude(place, "SessionStart", "fork", {
    pid: worker.pid,
    fields: { source: "fork", session_title: "try" },
  });
  const found = readAll(place.root);
  expect(found.registrations).toMatchObject([
    { raw_id: "fork", continues: { session_id: parent?.session_id } },
  ]);
  const outcomes = Object.fromEntries(
    found.records.map(({ fields }) => [fields["session_id"], fields["outcome"]]),
  );
  expect(outcomes[parent?.session_id ?? ""]).toBe("interrupted");
});

test("an end without a start opens nothing: a receipt stands, and no session", async () => {
  const place = await makePlace();
  expect(await claude(place, "SessionEnd.other", "never")).toMatchObject(SILENT);
  const found = readAll(place.root);
  expect(found.receipts.map(({ phase }) => phase)).toEqual(["received", "outcome"]);
  expect(resultOf(outcomesOf(found.receipts, "never")[0], "seal")).toBe("skipped");
  expect([found.registrations, found.records, found.ledger, found.contexts]).toEqual([[], [], [], []]);
});

test("events that say nothing about a session's life never open one", async () => {
  const place = await makePlace();
  for (const sample of [
    "SubagentStart",
    "SubagentStop",
    "PostCompact",
    "StopFailure",
    "Notification",
    "PreToolUse",
  ]) {
    expect(await claude(place, sample, "never")).toMatchObject(SILENT);
  }
  const found = readAll(place.root);
  expect(found.registrations).toEqual([]);
  expect(outcomesOf(found.receipts, "never")).toHaveLength(6);
});

test("a prompt opens an episode at any time, a stop only for a session that was never seen", async () => {
  const place = await makePlace();
  await claude(place, "Stop", "stop-first");
  await claude(place, "SessionEnd.other", "stop-first");
  await claude(place, "Stop", "stop-first");
  expect(readAll(place.root).registrations).toEqual([]);
  await claude(place, "UserPromptSubmit", "stop-first");
  const found = readAll(place.root);
  expect(found.registrations).toMatchObject([
    { continues: { session_id: found.records[0]?.fields["session_id"] } },
  ]);
  expect(await balanceOf(place)).toMatchObject({ started: 2, closed: 1, open: 1, unaccounted: 0 });
});

test("a doubled and a late end leave the record, the ledger and a newer episode as they are", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "ended");
  await claude(place, "SessionEnd.logout", "ended");
  await claude(place, "SessionStart", "newer");
  const before = readAll(place.root);
  const openFile = join(place.root, ".ai/local/state/sessions-open/newer.yaml");
  const bytes = readFileSync(openFile);
  await claude(place, "SessionEnd.logout", "ended");
  await claude(place, "SessionEnd.other", "ended");
  const after = readAll(place.root);
  expect(after.records).toEqual(before.records);
  expect(after.ledger).toEqual(before.ledger);
  expect(after.contexts).toEqual(before.contexts);
  expect(readFileSync(openFile)).toEqual(bytes);
  expect(after.pointer).toBe(before.pointer);
  expect(outcomesOf(after.receipts, "ended").filter(({ event }) => event === "SessionEnd")).toHaveLength(3);
});

test("the same start five times changes neither its beginning nor its context", async () => {
  const place = await makePlace();
  for (const second of [0, 1, 2, 3, 4]) {
    const environment = { MAJORDOMUS_NOW: `2026-09-04T10:00:0${second}Z` };
    await claude(place, "SessionStart", "again", { environment });
  }
  const found = readAll(place.root);
  expect(found.open.get("again")?.["started_at"]).toBe("2026-09-04T10:00:00Z");
  expect(found.contexts).toHaveLength(1);
  expect(countEvents(found.ledger)).toEqual({ "session.started": 1, "provider.event.received": 5 });
  expect(outcomesOf(found.receipts, "again")).toHaveLength(5);
});

test("a sub-agent's events belong to the parent: they open nothing and never move the pointer", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "parent");
  const before = readAll(place.root);
  const agent = { agent_id: "agent-a4d7719c20be5f386", agent_type: "Explore" };
  for (const sample of ["SubagentStart", "PreToolUse.subagent", "UserPromptSubmit", "Stop", "SubagentStop"]) {
    await claude(place, sample, "parent", { fields: agent });
  }
  // Others bring an id of their own that never ends.
  for (const sample of ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd.other"]) {
    expect(await claude(place, sample, "agents-own", { fields: agent })).toMatchObject(SILENT);
  }
  const after = readAll(place.root);
  expect([...after.open.keys()]).toEqual(["parent"]);
  expect(after.registrations).toHaveLength(1);
  expect(after.pointer).toBe(before.pointer);
  expect(after.records).toEqual([]);
});

test("one provider session from two worktrees: the second is refused with the reason, and reads nothing of the first", async () => {
  const place = await makePlace();
  const lane = addWorktree(place, "lane");
  const [worker, other] = [startStandIn(), startStandIn()];
  await claude(place, "SessionStart", "shared", { pid: worker.pid });
  const [first] = await episodesOf(place);
  const refused = await claude(place, "SessionStart", "shared", { root: lane, pid: other.pid });
  expect(refused).toMatchObject({ status: 0, stderr: "" });
  expect(refused.stdout).toContain(`No episode was opened: this provider session is open in ${place.root}`);
  expect(refused.stdout).not.toContain(first?.session_id);
  const second = readStores(lane);
  expect([second.open.size, second.records, second.contexts]).toEqual([0, [], []]);
  const found = readAll(place.root);
  const outcomes = outcomesOf(found.receipts, "shared");
  expect(outcomes.map((outcome) => resultOf(outcome, "episode") ?? "").toSorted()).toEqual([
    "done",
    "refused",
  ]);
  // Its lines in the other ledger carry no session: they belong to nobody.
  for (const line of second.ledger) expect(line.session).toBeUndefined();
  expect(await balanceOf(place)).toMatchObject({ started: 1, open: 1, unaccounted: 0 });
});

test("the same process in another worktree keeps its episode where it opened", async () => {
  const place = await makePlace();
  const lane = addWorktree(place, "lane");
  const worker = startStandIn();
  await claude(place, "SessionStart", "walker", { pid: worker.pid });
  const [first] = await episodesOf(place);
  const run = await claude(place, "SessionStart.compact", "walker", { root: lane, pid: worker.pid });
  expect(run.stdout).toContain(`Episode ${first?.session_id}`);
  expect(readStores(lane).open.size).toBe(0);
  // Later events follow the registration, wherever the directory is now.
  await claude(place, "Stop", "walker", { root: lane, pid: worker.pid });
  await claude(place, "SessionEnd.logout", "walker", { root: lane, pid: worker.pid });
  expect(readStores(lane).records).toEqual([]);
  expect(readAll(place.root).records).toMatchObject([
    { fields: { session_id: first?.session_id, branch: "main" } },
  ]);
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("a session whose worker died in another worktree goes on here as a new episode that continues it", async () => {
  const place = await makePlace();
  const lane = addWorktree(place, "lane");
  const [worker, next] = [startStandIn(), startStandIn()];
  await claude(place, "SessionStart", "heir", { pid: worker.pid });
  const [first] = await episodesOf(place);
  await worker.kill();
  const run = await claude(place, "SessionStart.resume", "heir", { root: lane, pid: next.pid });
  expect(run.stdout).toContain(`It continues episode ${first?.session_id}.`);
  const episodes = await episodesOf(place);
  expect(episodes.map(({ session_id }) => session_id)).toContain(first?.session_id);
  expect(episodes).toHaveLength(2);
  expect([...readStores(lane).open.keys()]).toEqual(["heir"]);
});

test("a pointer and an environment that name another session are named, and the payload's id decides", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "a");
  const openFile = join(place.root, ".ai/local/state/sessions-open/a.yaml");
  const bytes = readFileSync(openFile);
  const [first] = await episodesOf(place);
  const run = await claude(place, "SessionStart", "b", {
    environment: { CLAUDE_CODE_SESSION_ID: "a", MAJORDOMUS_PROVIDER_SESSION: "a" },
  });
  expect(run.stdout).toContain(first?.session_id);
  expect(run.stdout).toContain("the session's own id decides");
  const found = readAll(place.root);
  const received = found.ledger.findLast((line) => line.event === "provider.event.received");
  expect(received).toMatchObject({ provider_session: "b", pointer_named: first?.session_id });
  expect(received?.session).toBe(found.open.get("b")?.["session_id"]);
  expect(readFileSync(openFile)).toEqual(bytes);
});
