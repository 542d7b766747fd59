import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { NEVER } from "../../../src/core/base/cancellation.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { resumeRecord } from "../../../src/core/continuity/resume.ts";
import { readRecords, readStatus } from "../../../src/core/continuity/status.ts";
import { syncStore } from "../../../src/core/continuity/sync.ts";
import type { SyncAnswer } from "../../../src/core/continuity/sync.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";

const REFERENCE = "refs/majordomus/continuity";

async function publish(machine: Machine, objective: string): Promise<string> {
  machine.clock.forward(1);
  await machine.handOver(bodyOf(objective));
  return (await publishHandover(await machine.checkout(), {})).record.id;
}

async function sync(machine: Machine): Promise<SyncAnswer> {
  return syncStore(await machine.checkout(), {}, { signal: NEVER, progress: () => undefined });
}

/** Publishes while git's own lock holds the reference, and nobody waits for it. */
async function publishLocked(machine: Machine, objective: string): Promise<unknown> {
  const lock = join(machine.root, ".git", `${REFERENCE}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, "");
  let now = performance.now();
  const hurried = vi.spyOn(performance, "now").mockImplementation(() => (now += 3000));
  const outcome = await publish(machine, objective).catch((error: unknown) => error);
  hurried.mockRestore();
  rmSync(lock);
  return outcome;
}

function notesOf(machine: Machine): string[] {
  const directory = join(machine.root, ".ai/local/state/continuity-publishing");
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^[0-9a-f]{32}$/.test(name)) : [];
}

/**
 * Publishes until a disk operation, from which on nothing reaches the disk any more, whatever is tried: as where
 * the process ends there, but for what git still does.
 *
 * @param ends asked before every operation, counted from 1.
 * @returns the id, where that operation was not reached.
 */
async function publishUntil(
  machine: Machine,
  objective: string,
  ends: (count: number) => boolean,
): Promise<string | undefined> {
  machine.clock.forward(1);
  await machine.handOver(bodyOf(objective));
  const checkout = await machine.checkout();
  let seen = 0;
  let ended = false;
  injectFaults({
    before: (operation, path) => {
      // What a process that ended held is free; this one lives on.
      if (operation === "read" || path.includes("/locks")) return;
      seen += 1;
      ended ||= ends(seen);
      if (ended) throw new Error(`${operation} of ${path} never happens`);
    },
  });
  try {
    return (await publishHandover(checkout, {})).record.id;
  } catch {
    return undefined;
  } finally {
    injectFaults(undefined);
  }
}

/** A publication that ended before the reference was to move: the record is noted, and nothing else. */
async function cutShort(machine: Machine, objective: string): Promise<string> {
  expect(await publishUntil(machine, objective, () => notesOf(machine).length > 0)).toBeUndefined();
  expect(machine.git("for-each-ref", REFERENCE)).toBe("");
  const [noted = "", ...more] = notesOf(machine);
  expect(more).toEqual([]);
  return noted;
}

async function chainOf(machine: Machine): Promise<string[]> {
  const { records, lines } = readRecords(await machine.checkout());
  expect(lines.map(({ state }) => state)).toEqual(["linear"]);
  const chain: string[] = [];
  let next = records.find(({ parent }) => parent === undefined);
  while (next !== undefined) {
    const { id } = next;
    chain.push(id);
    next = records.find(({ parent }) => parent === id);
  }
  expect(chain).toHaveLength(records.length);
  return chain;
}

async function codesAt(machine: Machine): Promise<string[]> {
  return readStatus(await machine.checkout()).diagnostics.map(({ code }) => code);
}

describe("a publication that was refused", () => {
  it("is nowhere afterwards, and the next one goes on from what stood before", async () => {
    const machine = (await newTeam()).machine("a");
    const first = await publish(machine, "First");
    expect(await publishLocked(machine, "Refused")).toMatchObject({ exit: 13, code: "continuity.contended" });
    expect(notesOf(machine)).toEqual([]);
    expect(await codesAt(machine)).toEqual([]);
    const answer = await sync(machine);
    expect(answer).toMatchObject({ published: 1, restored: 0 });
    expect(answer.diagnostics).toEqual([]);
    const third = await publish(machine, "Third");
    expect(await chainOf(machine)).toEqual([first, third]);
  });

  it("as the first one ever begins no line", async () => {
    const machine = (await newTeam()).machine("a");
    expect(await publishLocked(machine, "Refused")).toMatchObject({ exit: 13 });
    const only = await publish(machine, "Taken");
    expect(await chainOf(machine)).toEqual([only]);
  });
});

describe("a publication that was cut short", () => {
  it("at any operation is whole or not there, and another handover after it forks nothing", async () => {
    const machine = (await newTeam()).machine("a");
    const acknowledged = [await publish(machine, "First")];
    let cut = 0;
    for (let at = 1; at < 100; at += 1) {
      const id = await publishUntil(machine, `Cut at ${at}`, (count) => count >= at);
      const stood = readRecords(await machine.checkout()).records.map((record) => record.id);
      expect(await codesAt(machine)).not.toContain("continuity.published_missing");
      acknowledged.push(...stood, await publish(machine, `After ${at}`));
      expect(notesOf(machine), `cut at ${at}`).toEqual([]);
      if (id !== undefined) break;
      cut += 1;
    }
    expect(cut).toBeGreaterThan(10);
    expect(await chainOf(machine)).toEqual(expect.arrayContaining(acknowledged));
    // What was acknowledged is remembered outside the reference.
    machine.git("update-ref", "-d", REFERENCE);
    await sync(machine);
    expect(await chainOf(machine)).toEqual(expect.arrayContaining(acknowledged));
  });

  it("is completed by a sync, which does not say that it had been dropped", async () => {
    const machine = (await newTeam()).machine("a");
    const first = await cutShort(machine, "Cut");
    expect(await codesAt(machine)).toContain("continuity.publication_unfinished");
    expect(await codesAt(machine)).not.toContain("continuity.published_missing");
    const answer = await sync(machine);
    expect(answer).toMatchObject({ published: 1, restored: 0 });
    expect(answer.diagnostics.map(({ code }) => code)).toEqual(["continuity.completed"]);
    expect(readStatus(await machine.checkout()).position).toMatchObject({ record: first });
    const second = await publish(machine, "Second");
    expect(await chainOf(machine)).toEqual([first, second]);
  });

  it("is settled by the branch that it was for, whichever publishes next, and by no other worktree", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const cut = await cutShort(machine, "Cut");
    const beside: Machine = { ...team.machine("beside") };
    rmSync(beside.root, { recursive: true });
    machine.git("worktree", "add", "-q", "-b", "beside", beside.root);
    const other = await publish({ ...beside, environment: machine.environment }, "Beside");
    expect(readRecords(await machine.checkout()).records.map(({ id }) => id)).toEqual([other]);
    expect(notesOf(machine)).toEqual([cut]);
    machine.git("switch", "-q", "-c", "elsewhere");
    const elsewhere = await publish(machine, "Elsewhere");
    machine.git("switch", "-q", "main");
    const next = await publish(machine, "Next");
    const { records, lines } = readRecords(await machine.checkout());
    expect(lines.map(({ state }) => state)).toEqual(["linear", "linear", "linear"]);
    expect(new Map(records.map(({ id, parent }) => [id, parent]))).toEqual(
      new Map([
        [cut, undefined],
        [next, cut],
        [other, undefined],
        [elsewhere, undefined],
      ]),
    );
  });

  it("is dropped where its branch has gone on from another machine's record", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const cut = await cutShort(a, "Cut");
    const theirs = await publish(b, "Theirs");
    await sync(b);
    a.git("fetch", "-q", "origin", `${REFERENCE}:${REFERENCE}`);
    expect(resumeRecord(await a.checkout(), { record: theirs }).resumed).toBe(true);
    const ours = await publish(a, "Ours");
    expect(await chainOf(a)).toEqual([theirs, ours]);
    expect(notesOf(a)).not.toContain(cut);
  });
});
