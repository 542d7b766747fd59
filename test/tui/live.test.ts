import { spawn } from "node:child_process";
import fs, { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { EventEmitter, once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { affectedBy } from "../../src/tui/affected.ts";
import { startFeed } from "../../src/tui/live.ts";
import type { LiveFeed } from "../../src/tui/live.ts";
import type { WatchPlan } from "../../src/tui/options.ts";
import type { SliceName } from "../../src/tui/questions.ts";
import { changedPaths, takeStamps } from "../../src/tui/stamps.ts";

const opened: LiveFeed[] = [];
afterEach(() => {
  for (const feed of opened.splice(0)) feed.close();
});

interface Seen {
  changes: ReadonlySet<SliceName>[];
  feeds: string[];
  verified: number;
  feed: LiveFeed;
}

async function open(plan: WatchPlan, worktrees: string[] = []): Promise<Seen> {
  const seen = { changes: [] as ReadonlySet<SliceName>[], feeds: [] as string[], verified: 0 };
  const feed = startFeed({
    plan: () => Promise.resolve(plan),
    worktrees: () => worktrees,
    onChange: (slices) => seen.changes.push(slices),
    onFeed: (state) => seen.feeds.push(state),
    onVerified: () => {
      seen.verified++;
    },
  });
  opened.push(feed);
  await feed.looked;
  return Object.assign(seen, { feed });
}

function directory(): string {
  return mkdtempSync(join(tmpdir(), "majordomus-live-"));
}

/** A poll so rare that only the watch can have noticed. */
const WATCH_ONLY = 3600;

describe("the live feed", () => {
  it("notices new, changed, touched and removed files of a directory", async () => {
    const root = directory();
    writeFileSync(join(root, "one"), "1");
    const seen = await open({ directories: [root], files: [], pollSeconds: WATCH_ONLY });
    const acts = [
      () => writeFileSync(join(root, "two"), "2"),
      () => writeFileSync(join(root, "one"), "11"),
      () => utimesSync(join(root, "one"), 1000, 1000),
      () => rmSync(join(root, "two")),
    ];
    for (const act of acts) {
      const before = seen.changes.length;
      act();
      await vi.waitFor(() => expect(seen.changes.length).toBeGreaterThan(before), { timeout: 10_000 });
    }
  });

  it("goes on seeing a file that is replaced by a rename, again and again", async () => {
    const root = directory();
    const ledger = join(root, "ledger.jsonl");
    writeFileSync(ledger, "0");
    const seen = await open({ directories: [], files: [ledger], pollSeconds: WATCH_ONLY });
    for (let turn = 1; turn <= 3; turn++) {
      const before = seen.changes.length;
      writeFileSync(join(root, ".tmp"), String(turn));
      renameSync(join(root, ".tmp"), ledger);
      await vi.waitFor(() => expect(seen.changes.length).toBeGreaterThan(before), { timeout: 10_000 });
    }
    expect(seen.changes.at(-1)).toContain("history");
  });

  it("pays no attention to the neighbours of a file", async () => {
    const root = directory();
    const head = join(root, "HEAD");
    writeFileSync(head, "ref: refs/heads/main");
    const seen = await open({ directories: [], files: [head], pollSeconds: WATCH_ONLY });
    writeFileSync(join(root, "index.lock"), "");
    writeFileSync(head, "ref: refs/heads/other");
    await vi.waitFor(() => expect(seen.changes).toHaveLength(1), { timeout: 10_000 });
    expect(seen.changes[0]).toEqual(new Set(affectedBy(head)));
  });

  it("looks by itself for what no watch shows: a worktree that is gone, a worker that ended", async () => {
    const root = directory();
    const worktree = join(root, "wt");
    mkdirSync(worktree);
    const worker = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const plan = { directories: [], files: [], processes: [worker.pid ?? 0], pollSeconds: 0.05 };
    const seen = await open(plan, [worktree]);
    await vi.waitFor(() => expect(seen.verified).toBeGreaterThan(1));
    writeFileSync(join(worktree, "work"), "no news");
    expect(seen.changes).toEqual([]);
    rmSync(worktree, { recursive: true });
    await vi.waitFor(() => expect(seen.changes).toHaveLength(1));
    expect(seen.changes[0]).toContain("episodes");
    worker.kill("SIGKILL");
    await once(worker, "exit");
    await vi.waitFor(() => expect(seen.changes).toHaveLength(2));
  });

  it("finds a directory that appears later, and watches it from then on", async () => {
    const root = directory();
    const later = join(root, "later");
    const seen = await open({ directories: [later], files: [], pollSeconds: 0.05 });
    mkdirSync(later);
    await vi.waitFor(() => expect(seen.changes.length).toBeGreaterThan(0));
    const before = seen.changes.length;
    writeFileSync(join(later, "file"), "1");
    await vi.waitFor(() => expect(seen.changes.length).toBeGreaterThan(before));
    expect(seen.feeds).toEqual([]);
  });

  it("says that it polls when the system has no watch left, even if it finds out later, and goes on", async () => {
    const watcher = Object.assign(new EventEmitter(), { close: () => undefined });
    const real = fs.watch;
    fs.watch = (() => watcher) as unknown as typeof fs.watch;
    syncBuiltinESMExports();
    try {
      const root = directory();
      const seen = await open({ directories: [root], files: [], pollSeconds: 0.05 });
      watcher.emit("error", Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));
      expect(seen.feeds).toEqual(["polling"]);
      writeFileSync(join(root, "file"), "1");
      await vi.waitFor(() => expect(seen.changes.length).toBeGreaterThan(0));
    } finally {
      fs.watch = real;
      syncBuiltinESMExports();
    }
  });

  it("takes as few watches as there are directories to look at, however much lies in them and below", async () => {
    const real = fs.watch;
    const watched: string[] = [];
    fs.watch = ((path: string, ...rest: unknown[]) => {
      watched.push(path);
      return (real as unknown as (...given: unknown[]) => unknown)(path, ...rest);
    }) as unknown as typeof fs.watch;
    syncBuiltinESMExports();
    try {
      const root = directory();
      for (let number = 0; number < 300; number += 1) {
        mkdirSync(join(root, `d${number}`));
        writeFileSync(join(root, `d${number}`, "file"), "1");
      }
      const files = Array.from({ length: 300 }, (_, number) => join(root, `d${number}`, "file"));
      await open({ directories: [root], files: [], pollSeconds: WATCH_ONLY });
      expect(watched).toEqual([root]);
      watched.length = 0;
      await open({ directories: [root], files, pollSeconds: WATCH_ONLY });
      expect(watched.length).toBeLessThanOrEqual(64);
    } finally {
      fs.watch = real;
      syncBuiltinESMExports();
    }
  });

  it("is silent after its end", async () => {
    const root = directory();
    const seen = await open({ directories: [root], files: [], pollSeconds: 0.02 });
    seen.feed.close();
    const { verified } = seen;
    writeFileSync(join(root, "file"), "1");
    const other = await open({ directories: [root], files: [], pollSeconds: 0.02 });
    await vi.waitFor(() => expect(other.verified).toBeGreaterThan(3));
    expect(seen.changes).toEqual([]);
    expect(seen.verified).toBe(verified);
  });
});

const LOOKING = { worktrees: [], entries: true };

describe("stamps", () => {
  it("are equal exactly when nothing happened", () => {
    const root = directory();
    writeFileSync(join(root, "one"), "1");
    const plan = { directories: [root], files: [join(root, "one"), join(root, "absent")], pollSeconds: 2 };
    const before = takeStamps(plan, LOOKING);
    expect(changedPaths(before, takeStamps(plan, LOOKING))).toEqual([]);
    utimesSync(join(root, "one"), 5, 5);
    expect(changedPaths(before, takeStamps(plan, LOOKING))).toEqual([join(root, "one")]);
  });

  it("do not read a large directory entry by entry", () => {
    const root = directory();
    for (let index = 0; index < 300; index++) writeFileSync(join(root, String(index)), "");
    expect(takeStamps({ directories: [root], files: [], pollSeconds: 2 }, LOOKING).size).toBe(1);
  });
});
