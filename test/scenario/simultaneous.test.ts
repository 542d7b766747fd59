import { basename } from "node:path";
import { expect, test } from "vitest";
import { LIMITS_TABLE, writeMeasured } from "../support/measured.ts";
import { balanceOf } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { addWorktree, command, makePlace } from "./support/place.ts";
import { FULL } from "../support/full.ts";
import { countEvents, outcomesOf, readAll, readStores, resultOf } from "./support/stores.ts";

const LANES = FULL ? 8 : 3;
const TASKS_EACH = FULL ? 50 : 2;

test(
  "worktrees that begin their tasks at once get an id each, and their lines name it alone",
  { timeout: 600_000 },
  async () => {
    const place = await makePlace();
    const lanes = Array.from({ length: LANES }, (_, index) => addWorktree(place, `lane-${index}`));
    const ids: string[] = [];
    for (let round = 0; round < TASKS_EACH; round += 1) {
      const begun = await Promise.all(
        lanes.map(async (root) => {
          // One second for all: the time of day sets none of them apart.
          const environment = { MAJORDOMUS_NOW: "2026-09-04T10:00:00Z" };
          const words = ["start", `Round ${round}`, "--scope", "src/", "--json"];
          const run = await command({ ...place, root }, words, { environment });
          expect(run, run.stdout + run.stderr).toMatchObject({ status: 0 });
          const { ledger } = readStores(root);
          const id = String(ledger.findLast(({ event }) => event === "task.started")?.["task_id"]);
          expect(run.stdout).toContain(id);
          const gone = await command({ ...place, root }, ["finish", "--outcome", "failed", "--note", "-"], {
            environment,
            input: "# Reason\n\nNot now.\n",
          });
          expect(gone, gone.stdout + gone.stderr).toMatchObject({ status: 0 });
          return id;
        }),
      );
      ids.push(...begun);
    }
    expect(ids).toHaveLength(LANES * TASKS_EACH);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

const TWENTY = Array.from({ length: 20 }, (_, index) => index + 1);

test("twenty sessions that start at once get twenty whole episodes, and their ends twenty records", async () => {
  const place = await makePlace();
  const session = (number: number): string => `window-${number}`;

  const starts = await Promise.all(TWENTY.map((number) => claude(place, "SessionStart", session(number))));
  for (const run of starts) expect(run).toMatchObject({ status: 0, stderr: "" });
  // A command drains what the crowd had to put aside.
  expect(await balanceOf(place)).toMatchObject({
    started: 20,
    closed: 0,
    recovered: 0,
    open: 20,
    unaccounted: 0,
  });

  const opened = readAll(place.root);
  expect([...opened.open.keys()].toSorted()).toEqual(TWENTY.map(session).toSorted());
  for (const [key, fields] of opened.open) {
    expect(fields).toMatchObject({
      session_id: expect.stringMatching(/^s-\d{14}-[0-9a-f]{4}$/),
      owner: "wren",
      provider: "claude-code",
      provider_session: key,
      worktree: place.root,
      branch: "main",
      start_head: expect.stringMatching(/^[0-9a-f]{40}$/),
      start_working_tree: "clean",
    });
  }
  const ids = [...opened.open.values()].map((fields) => fields["session_id"] ?? "").toSorted();
  expect(new Set(ids).size).toBe(20);
  expect(opened.registrations.map(({ session_id }) => session_id).toSorted()).toEqual(ids);
  expect([...opened.open.keys()]).toContain(basename(opened.pointer ?? "", ".yaml"));
  expect(countEvents(opened.ledger)).toEqual({ "session.started": 20, "provider.event.received": 20 });
  for (const event of ["session.started", "provider.event.received"]) {
    const stamped = opened.ledger.filter((line) => line.event === event).map((line) => line.session ?? "");
    expect(stamped.toSorted()).toEqual(ids);
  }
  expect(opened.contexts).toHaveLength(20);
  expect(opened.receipts.filter(({ phase }) => phase === "received")).toHaveLength(20);
  for (const run of starts) expect(run.stdout).toMatch(/Episode s-\d{14}-[0-9a-f]{4}, on main/);

  const first = await claude(place, "SessionEnd.logout", session(1));
  expect(first).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const afterOne = readAll(place.root);
  const record = afterOne.records[0];
  expect(afterOne.records).toHaveLength(1);
  expect(record?.fields).toMatchObject({
    schema: "session/v1",
    session_id: opened.open.get(session(1))?.["session_id"],
    outcome: "closed",
    branch: "main",
  });
  expect(record?.lists["commits"]).toBeUndefined();
  expect(afterOne.open.size).toBe(19);
  expect(afterOne.ended).toHaveLength(1);

  const ends = await Promise.all(
    TWENTY.slice(1).map((number) => claude(place, "SessionEnd.other", session(number))),
  );
  for (const run of ends) expect(run).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(await balanceOf(place)).toMatchObject({
    started: 20,
    closed: 20,
    recovered: 0,
    open: 0,
    unaccounted: 0,
    agrees: true,
  });

  const closed = readAll(place.root);
  expect(closed.open.size).toBe(0);
  expect(closed.pointer).toBeUndefined();
  expect(closed.registrations).toEqual([]);
  expect(closed.ended.map(({ session_id }) => session_id).toSorted()).toEqual(ids);
  expect(closed.records.map(({ fields }) => fields["session_id"] ?? "").toSorted()).toEqual(ids);
  expect(closed.records.filter(({ fields }) => fields["outcome"] === "interrupted")).toHaveLength(19);
  expect(countEvents(closed.ledger)).toEqual({
    "session.started": 20,
    "provider.event.received": 40,
    "session.closed": 20,
  });
  for (const { text } of closed.contexts) expect(text).toContain("\n## Close\n");
  expect(closed.shadows).toEqual([]);
  expect(closed.shadowsAway.toSorted()).toEqual(ids);
  expect([closed.temporaries, closed.spool, closed.unusable]).toEqual([[], [], []]);
  writeMeasured(LIMITS_TABLE, [
    "Sessions at once",
    "20 that start together, 19 that end together",
    "20 whole episodes, 20 records, none unaccounted for",
  ]);
});

test("twenty starts of one session at once open one episode, freeze one context and leave twenty receipts", async () => {
  const place = await makePlace();
  const runs = await Promise.all(TWENTY.map(() => claude(place, "SessionStart", "one")));
  for (const run of runs) expect(run).toMatchObject({ status: 0, stderr: "" });
  expect(await balanceOf(place)).toMatchObject({ started: 1, open: 1, unaccounted: 0 });

  const found = readAll(place.root);
  expect([...found.open.keys()]).toEqual(["one"]);
  expect(found.registrations).toHaveLength(1);
  expect(found.contexts).toHaveLength(1);
  const outcomes = outcomesOf(found.receipts, "one");
  expect(found.receipts.filter(({ phase }) => phase === "received")).toHaveLength(20);
  expect(outcomes).toHaveLength(20);
  const settled = outcomes.filter((outcome) => resultOf(outcome, "episode") === "done").length;
  const deferred = outcomes.filter((outcome) => resultOf(outcome, "episode") === "deferred").length;
  expect(settled + deferred).toBe(20);
  expect(settled).toBeGreaterThan(0);
  expect(countEvents(found.ledger)["session.started"]).toBe(1);
  const id = found.open.get("one")?.["session_id"];
  for (const run of runs)
    if (run.stdout.includes("Episode s-")) expect(run.stdout).toContain(`Episode ${id},`);
  expect([found.temporaries, found.spool]).toEqual([[], []]);
});

test("a compaction that two hooks announce at once has one checkpoint, and so has the next", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "one");
  for (let round = 1; round <= 2; round += 1) {
    await claude(place, "UserPromptSubmit", "one");
    await Promise.all([1, 2, 3].map(() => claude(place, "PreCompact.auto", "one")));
    await Promise.all([1, 2].map(() => claude(place, "PostCompact", "one")));
    await Promise.all([1, 2].map(() => claude(place, "SessionStart.compact", "one")));
    // A command drains what a hook had to put aside.
    expect(await balanceOf(place)).toMatchObject({ open: 1, unaccounted: 0 });
    const { ledger } = readStores(place.root);
    expect(ledger.filter(({ event }) => event === "task.checkpoint")).toHaveLength(round);
  }
});
