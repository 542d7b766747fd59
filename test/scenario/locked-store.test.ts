import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startJob } from "../core/fs/support/run-job.ts";
import { balanceOf } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { FULL } from "../support/full.ts";
import { LIMITS_TABLE, writeMeasured } from "../support/measured.ts";
import { command, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { countEvents, outcomeOf, outcomesOf, readAll } from "./support/stores.ts";

/** Hooks answer within two seconds; five times that says only that nothing hangs, however busy the machine is. */
const HANG_MILLISECONDS = 10_000;

interface Holder {
  signal(signal: NodeJS.Signals): void;
  release(): Promise<void>;
}

/** Another process that holds a lock until it is told to let go. */
async function holdLock(place: Place, lock: string): Promise<Holder> {
  mkdirSync(join(lock, ".."), { recursive: true });
  const marks = { ready: join(place.directory, "ready"), release: join(place.directory, "release") };
  const child = startJob({ action: "hold", lock, ...marks });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  await vi.waitFor(() => expect(existsSync(marks.ready)).toBe(true), { timeout: 20_000 });
  return {
    signal: (signal) => void child.kill(signal),
    release: async () => {
      writeFileSync(marks.release, "");
      await ended;
    },
  };
}

function ledgerLock(place: Place): string {
  return join(place.root, ".ai/local/state/locks/ledger");
}

/** The texts of an episode's lines in its ledger and in its shadow journal. */
function textsOf(place: Place, id: string): { ledger: string[]; shadow: string[] } {
  const lines = (path: string): string[] =>
    existsSync(path)
      ? readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => line.includes(`"session":"${id}"`))
      : [];
  const journal = join(place.root, ".git/majordomus/journal");
  return {
    ledger: lines(join(place.root, ".ai/local/state/ledger.jsonl")),
    shadow: [...lines(join(journal, `${id}.jsonl`)), ...lines(join(journal, "closed", `${id}.jsonl`))],
  };
}

test("with the ledger locked every hook exits 0 in time, defers, and the next event drains all in order, once", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "bystander");
  const before = readAll(place.root).ledger;
  const holder = await holdLock(place, ledgerLock(place));

  const start = await claude(place, "SessionStart", "locked");
  expect(start).toMatchObject({ status: 0, stderr: "" });
  expect(start.milliseconds).toBeLessThan(HANG_MILLISECONDS);
  expect(start.stdout).toContain("Episode s-");
  for (const sample of ["UserPromptSubmit", "Stop", "PreCompact.auto", "SessionEnd.logout"]) {
    const run = await claude(place, sample, "locked");
    expect(run, sample).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(run.milliseconds, sample).toBeLessThan(HANG_MILLISECONDS);
  }
  const held = readAll(place.root);
  expect(held.ledger).toEqual(before);
  expect(held.spool.length).toBeGreaterThanOrEqual(4);
  for (const event of ["SessionStart", "PreCompact", "SessionEnd"]) {
    const results = outcomeOf(held.receipts, "locked", event)?.steps?.map(({ result }) => result);
    expect(results, event).toContain("deferred");
    expect(results, event).not.toContain("failed");
  }
  // What needs no ledger was done: the record stands, and its session is not open any more.
  expect(held.records).toHaveLength(1);
  expect([...held.open.keys()]).toEqual(["bystander"]);

  await holder.release();
  expect(await claude(place, "Stop", "bystander")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const drained = readAll(place.root);
  expect([drained.spool, drained.unusable]).toEqual([[], []]);
  const id = drained.records[0]?.fields["session_id"] ?? "";
  const { ledger, shadow } = textsOf(place, id);
  expect(ledger).toEqual(shadow);
  const lines = drained.ledger.filter((line) => line.session === id);
  expect(countEvents(lines)).toEqual({
    "session.started": 1,
    "provider.event.received": 3,
    "session.closed": 1,
  });
  expect(lines[0]?.event).toBe("session.started");
  expect(lines.at(-1)?.event).toBe("session.closed");
  expect(await balanceOf(place)).toMatchObject({ started: 2, closed: 1, open: 1, unaccounted: 0 });
});

test("the same event twice in one second while the ledger is locked stands twice in it afterwards", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "twice");
  const holder = await holdLock(place, ledgerLock(place));
  const environment = { MAJORDOMUS_NOW: "2026-09-04T10:00:00Z" };
  for (const _ of [1, 2, 3]) await claude(place, "SessionStart.resume", "twice", { environment });
  await holder.release();
  await claude(place, "Stop", "twice");
  const found = readAll(place.root);
  expect(found.spool).toEqual([]);
  const same = found.ledger.filter((line) => line.ts === "2026-09-04T10:00:00Z");
  expect(same).toHaveLength(3);
});

/** In a full run a lock is really held so long; else the clock of the events alone says so. */
const HELD_MILLISECONDS = FULL ? 60_000 : 0;
const AN_HOUR_LATER = "2099-01-01T00:00:00Z";

test(
  "a holder that is stopped for a minute is alive: others defer, it goes on unharmed, and all stands once, in order",
  { timeout: 300_000 },
  async () => {
    const place = await makePlace();
    await claude(place, "SessionStart", "s");
    const holder = await holdLock(place, ledgerLock(place));
    holder.signal("SIGSTOP");
    const lock = readFileSync(ledgerLock(place));
    const begun = performance.now();
    let events = 0;
    do {
      // A lock does not grow old: not for a clock that has gone far ahead either.
      const environment = events % 2 === 1 ? { MAJORDOMUS_NOW: AN_HOUR_LATER } : {};
      const run = await claude(place, "SessionStart.compact", "s", { environment });
      expect(run).toMatchObject({ status: 0, stderr: "" });
      expect(run.milliseconds).toBeLessThan(HANG_MILLISECONDS);
      events += 1;
    } while (events < 2 || performance.now() - begun < HELD_MILLISECONDS);
    expect(readAll(place.root).spool.length).toBeGreaterThanOrEqual(events);
    // A command that only reads answers all the same, and says that something is still to come.
    const reading = await command(place, ["history", "--json"]);
    expect(reading.status).toBe(0);
    expect(reading.milliseconds).toBeLessThan(HANG_MILLISECONDS);
    expect(reading.stderr).toMatch(
      /^majordomus: \d+ deferred write\(s\) to the ledger still wait: its lock is held\n$/,
    );
    expect(readFileSync(ledgerLock(place))).toEqual(lock);
    holder.signal("SIGCONT");
    await holder.release();
    await claude(place, "Stop", "s");
    const found = readAll(place.root);
    expect(found.spool).toEqual([]);
    expect(countEvents(found.ledger)["provider.event.received"]).toBe(events + 1);
    const id = found.registrations[0]?.session_id ?? "";
    const { ledger, shadow } = textsOf(place, id);
    expect(ledger).toEqual(shadow);
    writeMeasured(LIMITS_TABLE, [
      "A lock's holder that is stopped",
      `${Math.round((performance.now() - begun) / 1000)} s, ${events} events meanwhile`,
      "the lock stays its own; every event deferred, then in the ledger once and in order",
    ]);
  },
);

test("a killed holder's lock is taken over once, by one of the hooks that come together, and nothing is lost", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "s");
  const holder = await holdLock(place, ledgerLock(place));
  holder.signal("SIGKILL");
  await holder.release();
  expect(existsSync(ledgerLock(place))).toBe(true);
  const hooks = FULL ? 50 : 6;
  const runs = await Promise.all(
    Array.from({ length: hooks }, () => claude(place, "SessionStart.compact", "s")),
  );
  for (const run of runs) expect(run).toMatchObject({ status: 0, stderr: "" });
  await claude(place, "Stop", "s");
  const found = readAll(place.root);
  expect(found.spool).toEqual([]);
  expect(countEvents(found.ledger)["provider.event.received"]).toBe(hooks + 1);
  expect(readdirSync(join(place.root, ".ai/local/state/locks"))).toEqual([]);
  writeMeasured(LIMITS_TABLE, [
    "A lock's holder that is killed",
    `${hooks} hooks at once`,
    "taken over; every event stands once",
  ]);
});

test("a session whose own episode is locked is deferred, and its next event opens it", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "busy");
  const [registered] = readAll(place.root).registrations;
  const { createHash } = await import("node:crypto");
  const name = createHash("sha256").update("claude-code\0fresh").digest("hex").slice(0, 32);
  expect(registered?.raw_id).toBe("busy");
  const holder = await holdLock(place, join(place.root, `.git/majordomus/locks/episode-${name}`));
  const start = await claude(place, "SessionStart", "fresh");
  expect(start).toMatchObject({ status: 0, stderr: "" });
  expect(start.milliseconds).toBeLessThan(HANG_MILLISECONDS);
  expect(start.stdout).toContain("No episode was opened: ");
  const outcome = outcomesOf(readAll(place.root).receipts, "fresh")[0];
  expect(outcome?.steps?.find(({ step }) => step === "episode")?.result).toBe("deferred");
  expect([...readAll(place.root).open.keys()]).toEqual(["busy"]);
  await holder.release();
  await claude(place, "UserPromptSubmit", "fresh");
  expect([...readAll(place.root).open.keys()]).toEqual(["busy", "fresh"]);
});

test("lines that wait for a worktree that is gone are kept aside and told, and do not stop the others", async () => {
  const place = await makePlace();
  const { addWorktree, git } = await import("./support/place.ts");
  const lane = addWorktree(place, "lane");
  await claude(place, "SessionStart", "here");
  const holder = await holdLock(place, join(lane, ".ai/local/state/locks/ledger"));
  await claude(place, "SessionStart", "lost", { root: lane });
  await holder.release();
  expect(readAll(place.root).spool.length).toBeGreaterThan(0);
  git(place.root, "worktree", "remove", "--force", lane);
  await claude(place, "SessionStart.compact", "here");
  const found = readAll(place.root);
  expect(found.spool).toEqual([]);
  expect(found.unusable.length).toBeGreaterThan(0);
  const step = outcomesOf(found.receipts, "here")
    .at(-1)
    ?.steps?.find(({ step: name }) => name === "spool");
  expect(step).toMatchObject({ result: "failed", reason: expect.stringMatching(/no target any more/) });
  expect(existsSync(lane)).toBe(false);
  expect(await balanceOf(place)).toMatchObject({ started: 2, open: 2, unaccounted: 0 });
});

test("with a git that never answers a hook exits 0 in time, and the session opens and ends all the same", async () => {
  const place = await makePlace();
  const shims = join(place.directory, "shims");
  mkdirSync(shims);
  writeFileSync(join(shims, "git"), "#!/bin/sh\nexec sleep 20\n", { mode: 0o755 });
  const environment = { PATH: `${shims}:${place.environment["PATH"] ?? ""}` };
  const start = await claude(place, "SessionStart", "slow", { environment });
  expect(start).toMatchObject({ status: 0, stderr: "" });
  expect(start.milliseconds).toBeLessThan(HANG_MILLISECONDS);
  expect(start.stdout).toContain("working tree unknown");
  expect([...readAll(place.root).open.keys()]).toEqual(["slow"]);
  for (const sample of ["UserPromptSubmit", "Stop", "PreCompact.auto", "SessionEnd.other"]) {
    const run = await claude(place, sample, "slow", { environment });
    expect(run, sample).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(run.milliseconds, sample).toBeLessThan(HANG_MILLISECONDS);
  }
  const found = readAll(place.root);
  expect(found.records).toMatchObject([{ fields: { outcome: "interrupted" } }]);
  expect(found.records[0]?.fields["working_tree"]).toBeUndefined();
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("git's own index lock, held for a long time, stops neither hooks nor commands and is left alone", async () => {
  const place = await makePlace();
  const lock = join(place.root, ".git/index.lock");
  writeFileSync(lock, "somebody commits\n");
  await claude(place, "SessionStart", "indexed");
  await claude(place, "SessionEnd.logout", "indexed");
  expect((await command(place, ["session", "list"])).status).toBe(0);
  expect(readFileSync(lock, "utf8")).toBe("somebody commits\n");
  expect(readAll(place.root).records).toHaveLength(1);
});
