import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { LockLost, LockTimeout, withLock } from "../../../src/core/fs/lock.ts";
import { identifyProcess, ownProcess, type ProcessIdentity } from "../../../src/core/fs/process.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { diskWorker, endOf, startJob } from "./support/run-job.ts";

afterEach(() => injectFaults(undefined));

const AT_ONCE = { waitMilliseconds: 0 };
const SOON = { waitMilliseconds: 20 };

/** A lock's path in a directory of its own. */
function lockPath(): string {
  return join(scratchDirectory(), "lock");
}

let planted = 0;

/** Writes a lock as another process would have left it. */
function plantLock(path: string, holder: Partial<ProcessIdentity> = {}): string {
  planted += 1;
  const token = planted.toString(16).padStart(16, "0");
  writeFileSync(path, JSON.stringify({ token, ...ownProcess(), ...holder }));
  return token;
}

const DAY = 86_400_000;

/** Lets a file have been written so many milliseconds ago; a negative number is a time to come. */
function age(path: string, milliseconds: number): void {
  const then = (statSync(path).mtimeMs - milliseconds) / 1000;
  utimesSync(path, then, then);
}

/** The identity of a process that has our number and is gone. */
const GONE = { started: "1" };

function livingProcess(): ProcessIdentity {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const identity = identifyProcess(child.pid ?? 0);
  if (!identity) throw new Error("the sleeper is not seen");
  return identity;
}

/** Takes the lock and proves that it is alone in it. */
function take(path: string, options = AT_ONCE): void {
  withLock(path, options, (lock) => {
    lock.assertHeld();
    expect(existsSync(path)).toBe(true);
  });
}

function filesBeside(path: string): string[] {
  return readdirSync(dirname(path));
}

describe("a lock", () => {
  test("is there while the action runs, names its holder, and is gone afterwards", () => {
    const path = lockPath();
    const answer = withLock(path, AT_ONCE, (lock) => {
      expect(lock.path).toBe(path);
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
        token: expect.stringMatching(/^[0-9a-f]{16,40}$/),
        ...ownProcess(),
      });
      return 42;
    });
    expect(answer).toBe(42);
    expect(filesBeside(path)).toEqual([]);
  });

  test("is given back when the action fails", () => {
    const path = lockPath();
    const failing = (): never =>
      withLock(path, AT_ONCE, () => {
        throw new Error("the action's own");
      });
    expect(failing).toThrow("the action's own");
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("makes its own directory, but not a store that is no more", () => {
    const directory = scratchDirectory();
    take(join(directory, "locks", "one"));
    expect(readdirSync(directory)).toEqual(["locks"]);
    expect(() => take(join(directory, "store", "locks", "one"))).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
    expect(readdirSync(directory)).toEqual(["locks"]);
  });

  test("can be taken many times in a row, and leaves nothing when the turn is over", async () => {
    const path = lockPath();
    for (let time = 0; time < 20; time += 1) take(path);
    await vi.waitFor(() => expect(filesBeside(path)).toEqual([]));
  });

  test("does not mind that its directory is swept between two takings", () => {
    const path = lockPath();
    for (let time = 0; time < 10; time += 1) take(path);
    rmSync(dirname(path), { recursive: true });
    mkdirSync(dirname(path));
    take(path);
    expect(existsSync(path)).toBe(false);
  });

  test("of another name in the same directory can be held inside", () => {
    const path = lockPath();
    for (let time = 0; time < 5; time += 1) {
      withLock(path, AT_ONCE, (outer) => {
        withLock(`${path}-2`, AT_ONCE, (inner) => {
          outer.assertHeld();
          inner.assertHeld();
        });
        outer.assertHeld();
      });
      expect(filesBeside(path)).not.toContain("lock-2");
    }
  });

  test("asked for again by its holder is refused clearly and at once", () => {
    const path = lockPath();
    withLock(path, AT_ONCE, (lock) => {
      expect(() => take(path, { waitMilliseconds: 60_000 })).toThrow(
        expect.objectContaining({ exit: 13, code: "lock.reentered", subject: path }),
      );
      lock.assertHeld();
    });
  });
});

interface Refusal {
  names: string;
  holder: ProcessIdentity | undefined;
  unchanged: boolean;
  files: string[];
}

/** How asking for a lock that somebody has comes to nothing. */
function refusalOf(path: string): Refusal {
  const before = readFileSync(path);
  try {
    take(path, SOON);
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
    const unchanged = readFileSync(path).equals(before);
    return { names: error.path, holder: error.holder, unchanged, files: filesBeside(path) };
  }
  throw new Error("the lock was given away");
}

/** The refusal that a holder is owed. */
function refusalFor(path: string, holder: ProcessIdentity | undefined): Refusal {
  return { names: path, holder, unchanged: true, files: ["lock"] };
}

describe("a holder keeps its lock", () => {
  test("while it lives", () => {
    const path = lockPath();
    const holder = livingProcess();
    plantLock(path, holder);
    expect(refusalOf(path)).toMatchObject(refusalFor(path, holder));
  });

  test("while it is stopped, and it goes on afterwards as if nothing had been", async () => {
    const path = lockPath();
    const [ready, release] = [`${path}-ready`, `${path}-release`];
    const child = startJob({ action: "hold", lock: path, ready, release });
    await vi.waitFor(() => expect(existsSync(ready)).toBe(true), { timeout: 20_000 });
    rmSync(ready);
    child.kill("SIGSTOP");
    expect(refusalOf(path)).toMatchObject(refusalFor(path, identifyProcess(child.pid ?? 0)));
    child.kill("SIGCONT");
    writeFileSync(release, "");
    expect(await endOf(child)).toEqual({ status: 0, signal: null, stderr: "" });
    expect(existsSync(path)).toBe(false);
  });

  test("in another thread of this process", async () => {
    const path = lockPath();
    const [ready, release] = [`${path}-ready`, `${path}-release`];
    const worker = new Worker(diskWorker(), { workerData: { action: "hold", lock: path, ready, release } });
    await vi.waitFor(() => expect(existsSync(ready)).toBe(true), { timeout: 20_000 });
    rmSync(ready);
    expect(refusalOf(path)).toMatchObject(refusalFor(path, ownProcess()));
    writeFileSync(release, "");
    await once(worker, "exit");
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ["of another machine, perhaps", { boot: "another", namespace: "pid:[1]", ...GONE }],
    ["of a boot that nobody noted", { boot: null, started: null }],
    ["of another pid namespace", { namespace: "pid:[1]", ...GONE }],
    ["without a start time", { started: null }],
  ])("when it cannot be judged: %s", (_, holder) => {
    const path = lockPath();
    plantLock(path, holder);
    expect(refusalOf(path)).toMatchObject(refusalFor(path, { ...ownProcess(), ...holder }));
    expect(() => take(path)).toThrow(expect.objectContaining({ unknown: true }));
  });

  test.each([
    ["a bare number", "4711"],
    ["null", "null"],
    ["a token that is a path", JSON.stringify({ token: "../../../x", ...ownProcess(), ...GONE })],
    ["no token", JSON.stringify({ ...ownProcess(), ...GONE })],
    ["far too much", `{"token":"00000000","more":"${"x".repeat(5000)}`],
  ])("however old it is, when its file says %s, as no writer of ours leaves it", (_, content) => {
    const path = lockPath();
    writeFileSync(path, content);
    age(path, 30 * DAY);
    expect(refusalOf(path)).toMatchObject(refusalFor(path, undefined));
    expect(() => take(path)).toThrow(expect.objectContaining({ unknown: true }));
  });

  test.each([
    ["nothing", ""],
    ["half a holder", '{"token":"00000000000000'],
    ["a bare number", "4711"],
    ["null", "null"],
    ["a token that is a path", JSON.stringify({ token: "../../../x", ...ownProcess(), ...GONE })],
    ["a pid that is text", JSON.stringify({ token: "00000000", ...ownProcess(), pid: "1" })],
    ["far too much", JSON.stringify({ token: "00000000", ...ownProcess(), ...GONE, more: "x".repeat(5000) })],
  ])("when its file says %s", (_, content) => {
    const path = lockPath();
    writeFileSync(path, content);
    expect(refusalOf(path)).toMatchObject(refusalFor(path, undefined));
    expect(() => take(path)).toThrow(path);
  });

  test("when something else stands in the lock's place", () => {
    const path = lockPath();
    mkdirSync(path);
    expect(() => take(path, SOON)).toThrow(expect.objectContaining({ path, holder: undefined }));
    expect(filesBeside(path)).toEqual(["lock"]);
  });
});

describe("a lock whose holder is gone", () => {
  test("is taken over from a process that was killed", async () => {
    const path = lockPath();
    const child = startJob({
      action: "hold",
      lock: path,
      ready: `${path}-ready`,
      release: `${path}-release`,
    });
    await vi.waitFor(() => expect(existsSync(`${path}-ready`)).toBe(true), { timeout: 20_000 });
    child.kill("SIGKILL");
    await endOf(child);
    expect(existsSync(path)).toBe(true);
    take(path);
    expect(filesBeside(path)).toEqual(["lock-ready"]);
  });

  test("is taken over although its number belongs to a living stranger now", () => {
    const path = lockPath();
    plantLock(path, { ...livingProcess(), ...GONE });
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("is taken over from before this machine's last start, although its number lives today", () => {
    const path = lockPath();
    plantLock(path, { ...livingProcess(), boot: "an earlier one" });
    age(path, uptime() * 1000 + 60_000);
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("is kept for a machine that works here too: younger than this one's start, and of another boot", () => {
    const path = lockPath();
    const holder = { ...livingProcess(), boot: "another machine's" };
    plantLock(path, holder);
    expect(refusalOf(path)).toMatchObject(refusalFor(path, { ...ownProcess(), ...holder }));
    expect(() => take(path)).toThrow(expect.objectContaining({ unknown: true }));
  });

  test.each([
    ["nothing", ""],
    ["zero bytes", "\0".repeat(140)],
    ["half a holder", '{"token":"00000000000000'],
    ["a holder without its end", JSON.stringify({ token: "00000000", ...ownProcess() }).slice(0, -1)],
  ])("is taken over when a power cut left %s of it, once that is no more of now", (_, content) => {
    for (const old of [20_000, 30 * DAY, -20_000]) {
      const path = lockPath();
      writeFileSync(path, content);
      age(path, old);
      take(path);
      expect(filesBeside(path)).toEqual([]);
    }
  });

  test("is taken over when it was cut short, and so was what its taker left", () => {
    const path = lockPath();
    writeFileSync(path, "");
    age(path, DAY);
    injectFaults({
      before(operation, at) {
        if (operation !== "link" || !at.includes(".take.")) return;
        injectFaults(undefined);
        writeFileSync(at, "");
        age(at, DAY);
      },
    });
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("that was cut short and is another's by the time of the removal stays the other's", () => {
    const path = lockPath();
    writeFileSync(path, "");
    age(path, DAY);
    const fresh = livingProcess();
    injectFaults({
      before(operation, at) {
        if (operation !== "link" || !at.includes(".take.")) return;
        injectFaults(undefined);
        unlinkSync(path);
        plantLock(path, fresh);
      },
    });
    expect(() => take(path, SOON)).toThrow(
      expect.objectContaining({ holder: expect.objectContaining(fresh), unknown: false }),
    );
    expect(filesBeside(path)).toEqual(["lock"]);
  });

  test("is taken over although those who took it over before were killed at it, one after the other", () => {
    const path = lockPath();
    let name = path;
    for (let taker = 0; taker < 40; taker += 1) name = `${path}.take.${plantLock(name, GONE)}`;
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("is left to a living taker", () => {
    const path = lockPath();
    const claim = `${path}.take.${plantLock(path, GONE)}`;
    const taker = livingProcess();
    plantLock(claim, taker);
    expect(() => take(path, SOON)).toThrow(
      expect.objectContaining({ holder: expect.objectContaining(taker) }),
    );
    expect(filesBeside(path).length).toBe(2);
  });

  test("that was freed and taken freshly between the judgement and the removal stays with the fresh holder", () => {
    const path = lockPath();
    plantLock(path, GONE);
    const fresh = livingProcess();
    injectFaults({
      // We have judged and are about to claim the right to take over; meanwhile others have done all of it.
      before(operation, at) {
        if (operation !== "link" || !at.includes(".take.")) return;
        injectFaults(undefined);
        unlinkSync(path);
        plantLock(path, fresh);
      },
    });
    expect(() => take(path, SOON)).toThrow(
      expect.objectContaining({ holder: expect.objectContaining(fresh) }),
    );
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject(fresh);
    expect(filesBeside(path)).toEqual(["lock"]);
  });

  test("that was given back between the judgement and the removal is simply taken", () => {
    const path = lockPath();
    plantLock(path, GONE);
    injectFaults({
      before(operation, at) {
        if (operation !== "link" || !at.includes(".take.")) return;
        injectFaults(undefined);
        unlinkSync(path);
      },
    });
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("stays takable when the taking over fails", () => {
    const path = lockPath();
    plantLock(path, GONE);
    injectFaults(parseFaultPlan("EIO@1:rename"));
    expect(() => take(path)).toThrow(expect.objectContaining({ code: "EIO" }));
    expect(filesBeside(path)).toEqual(["lock"]);
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });

  test("has exactly one winner among twenty-four reclaimers, each time", async () => {
    const directory = scratchDirectory();
    const results = join(directory, "results");
    mkdirSync(results);
    const locks = [0, 1, 2, 3, 4].map((round) => join(directory, `lock-${round}`));
    for (const lock of locks.slice(2)) plantLock(lock, GONE);
    for (const lock of locks.slice(0, 2)) {
      writeFileSync(lock, "");
      age(lock, DAY);
    }
    const names = Array.from({ length: 24 }, (_, index) => `p${index}`);
    const go = join(directory, "go");
    const contenders = names.length;
    const ends = names.map((name) =>
      endOf(startJob({ action: "contest", locks, name, results, go, contenders })),
    );
    await vi.waitFor(() => expect(readdirSync(results).length).toBe(contenders), { timeout: 40_000 });
    writeFileSync(go, "");
    expect((await Promise.all(ends)).map(({ stderr }) => stderr)).toEqual(names.map(() => ""));
    for (const round of locks.keys()) {
      const outcomes = readdirSync(results).filter((name) => name.startsWith(`${round}-`));
      expect(outcomes.length).toBe(contenders);
      expect(outcomes.filter((name) => name.includes("-won-")).length).toBe(1);
    }
    expect(readdirSync(directory)).toEqual(["go", "results"]);
  });
});

describe("a lock that is shared with programs that leave no proof", () => {
  const shared = { ...SOON, brokenAfter: 15_000, time: "2026-11-30T12:00:00.000Z" };

  test("tells its time, for as long as it is held", () => {
    const path = lockPath();
    withLock(path, shared, (lock) => {
      lock.assertHeld();
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ time: shared.time, pid: process.pid });
    });
    expect(filesBeside(path)).toEqual([]);
  });

  const foreign = JSON.stringify({ pid: process.pid, token: "x", time: "2026-11-30T12:00:00.000Z" });
  const elsewhere = JSON.stringify({ token: "00000000", ...ownProcess(), namespace: "pid:[1]" });

  test.each([foreign, elsewhere])("is broken when it is old, and not before: %s", (content) => {
    const path = lockPath();
    writeFileSync(path, content);
    expect(() => take(path, shared)).toThrow(expect.objectContaining({ path, unknown: false }));
    age(path, 10_000);
    expect(() => take(path, shared)).toThrow(expect.objectContaining({ path, unknown: false }));
    age(path, 20_000);
    take(path, shared);
    expect(filesBeside(path)).toEqual([]);
  });

  test("is never broken while its holder is proved to live", () => {
    const path = lockPath();
    plantLock(path, livingProcess());
    age(path, DAY);
    expect(() => take(path, shared)).toThrow(expect.objectContaining({ unknown: false }));
  });
});

describe("a lock that is lost while it is held", () => {
  test("is noticed before the next write, and the new holder's lock is left alone", () => {
    const path = lockPath();
    const fresh = livingProcess();
    expect(() =>
      withLock(path, AT_ONCE, (lock) => {
        lock.assertHeld();
        unlinkSync(path);
        plantLock(path, fresh);
        lock.assertHeld();
      }),
    ).toThrow(LockLost);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject(fresh);
    expect(filesBeside(path)).toEqual(["lock"]);
  });

  test("is noticed also when nobody has taken it", () => {
    const path = lockPath();
    expect(() =>
      withLock(path, AT_ONCE, (lock) => {
        unlinkSync(path);
        lock.assertHeld();
      }),
    ).toThrow(expect.objectContaining({ path }));
  });

  test("does not undo an action that had no more to write", () => {
    const path = lockPath();
    expect(withLock(path, AT_ONCE, () => (unlinkSync(path), "done"))).toBe("done");
  });

  test("a lock is held no longer than its action", () => {
    const path = lockPath();
    const kept = withLock(path, AT_ONCE, (lock) => lock);
    expect(() => kept.assertHeld()).toThrow(LockLost);
  });
});

describe("a failing disk", () => {
  test.each(["ENOSPC@1:write", "EIO@1:link", "EROFS@1:open"])(
    "%s is reported, and the action does not run",
    (plan) => {
      const path = lockPath();
      injectFaults(parseFaultPlan(plan));
      const action = vi.fn<() => void>();
      expect(() => withLock(path, AT_ONCE, action)).toThrow(
        expect.objectContaining({ code: plan.split("@")[0] }),
      );
      expect(action).not.toHaveBeenCalled();
      expect(filesBeside(path)).toEqual([]);
    },
  );

  test("a lock that could not be removed does not undo the action, and is reclaimed by its thread", () => {
    const path = lockPath();
    const answer = withLock(path, AT_ONCE, () => {
      injectFaults(parseFaultPlan("EIO@1:unlink"));
      return "done";
    });
    expect(answer).toBe("done");
    expect(filesBeside(path)).toEqual(["lock"]);
    take(path);
    expect(filesBeside(path)).toEqual([]);
  });
});
