import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Moment } from "../../src/core/git/moment.ts";
import { writeHandover } from "../../src/core/task/handover.ts";
import { startTask } from "../../src/core/task/start-task.ts";
import { newPlace } from "../support/checkout.ts";
import { FULL } from "../support/full.ts";
import { runLine } from "../support/run-program.ts";
import { countEvents, readAll } from "./support/stores.ts";

const SESSIONS = FULL ? 100 : 25;
const COMMANDS = FULL ? 1000 : 30;

test(
  "a hundred sessions that never end stay open and visible: none is closed by a timer, and the next opens beside them",
  { timeout: 600_000 },
  async () => {
    const place = await newPlace();
    for (let number = 0; number < SESSIONS; number += 1) {
      await place.fire("start", `printed-${number}`);
      await place.fire("stop", `printed-${number}`);
      place.clock.forward(60);
    }
    place.clock.forward(30 * 24 * 60);
    expect(await place.fire("start", "next")).toContain("Episode s-");
    const found = readAll(place.root);
    expect(found.open.size).toBe(SESSIONS + 1);
    expect(found.records).toEqual([]);
    expect(countEvents(found.ledger)["session.started"]).toBe(SESSIONS + 1);
    const listed = await runLine(["session", "list", "--json"], {
      directory: place.root,
      now: place.clock.now(),
    });
    expect(listed.status).toBe(0);
    const { episodes } = JSON.parse(
      (
        await runLine(["run", "lifecycle.episodes", "--input", "{}"], {
          directory: place.root,
          now: place.clock.now(),
        })
      ).stdout,
    ) as { episodes: unknown[] };
    expect(episodes).toHaveLength(SESSIONS + 1);
  },
);

test(
  "a worker that runs our commands a thousand times inside its session opens nothing and adds nothing by reading",
  { timeout: 900_000 },
  async () => {
    const place = await newPlace();
    await place.fire("start", "busy");
    const before = readAll(place.root);
    const environment = { CLAUDE_CODE_SESSION_ID: "busy", XDG_STATE_HOME: join(place.root, ".git/state") };
    const reads = [
      ["session", "list"],
      ["history", "--limit", "5"],
      ["decision", "list"],
      ["question", "list"],
    ];
    for (let number = 0; number < COMMANDS; number += 1) {
      const run = await runLine(reads[number % reads.length] ?? [], {
        directory: place.root,
        environment,
        now: place.clock.now(),
      });
      expect([0, 10, 12]).toContain(run.status);
    }
    const after = readAll(place.root);
    expect([...after.open.keys()]).toEqual(["busy"]);
    expect(after.ledger).toEqual(before.ledger);
    expect(after.receipts).toHaveLength(before.receipts.length);
    // One line for a command that records something, and no more.
    const decided = await runLine(["decision", "add", "One", "--why", "two"], {
      directory: place.root,
      environment,
      now: place.clock.now(),
    });
    expect(decided.status).toBe(0);
    expect(readAll(place.root).ledger).toHaveLength(before.ledger.length + 1);
  },
);

test("a task whose title is changed keeps its id, and no path or file name of a record changes", async () => {
  const place = await newPlace();
  const checkout = await place.checkout();
  const given = { task: "Retry uploads", scope: ["src"], profile: "debugging" };
  const moment = new Moment(checkout.repository, checkout.head);
  const { task } = startTask(checkout, given, {}, moment);
  const names = (): string[] => readdirSync(checkout.layout.handovers).toSorted();
  const body = "# Objective\nRetry.\n\n# Current State\nBegun.\n\n# Next Action\nGo on.\n";
  const handOver = (): unknown => writeHandover(checkout, body, {}, {}, moment);
  handOver();
  const first = names();
  const text = readFileSync(checkout.layout.task, "utf8");
  writeFileSync(checkout.layout.task, text.replace("Retry uploads", "Try uploads once more/../x"));
  handOver();
  const both = names();
  expect(both).toHaveLength(2);
  expect(both).toContain(first[0]);
  for (const name of both) {
    expect(name).not.toMatch(/upload/i);
    expect(readFileSync(join(checkout.layout.handovers, name), "utf8")).toContain(`task_id: ${task.id}`);
  }
});
