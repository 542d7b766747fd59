import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../src/core/base/clock.ts";
import { appendEvents } from "../src/core/ledger/append.ts";
import { sessionLines } from "../src/core/ledger/read.ts";
import { summariseLedger } from "../src/core/ledger/summaries.ts";
import { benchDirectory } from "./place.ts";
import { figureOf, timed } from "./measure.ts";
import { describeFigure } from "./row.ts";
import type { Bench, Row } from "./row.ts";

const LINES = 1_000_000;
const SESSIONS = 2000;
const RUNS = 15;
const MEGABYTE = 1024 * 1024;

function session(number: number): string {
  return `s-20260904${String(number % 240_000).padStart(6, "0")}-${(number % 65_536).toString(16).padStart(4, "0")}`;
}

function line(number: number): string {
  const owner = session(number % SESSIONS);
  const task = `t-20260904153800-${(number % 997).toString(16).padStart(4, "0")}`;
  return `{"ts":"2026-09-04T15:37:33Z","event":"task.checkpoint","head":"dbb001d76c26603a289c5e3969241c36d1550ef2","branch":"main","by":"majordomus/0.1.0","session":"${owner}","task_id":"${task}","note":"Zwischenstand über ${number}"}`;
}

/** Writes a ledger of so many lines; one in ten thousand starts an episode. */
function writeLedger(path: string, lines: number): void {
  const file = openSync(path, "w");
  for (let begin = 0; begin < lines; begin += 10_000) {
    const block = Array.from({ length: Math.min(10_000, lines - begin) }, (_, index) => line(begin + index));
    writeSync(file, `${block.join("\n")}\n`);
  }
  closeSync(file);
}

function speed(bytes: number, milliseconds: number): number {
  return bytes / MEGABYTE / (milliseconds / 1000);
}

function speedRow(bar: string, goal: number, bytes: number, figure: ReturnType<typeof timed>): Row {
  const rate = speed(bytes, figure.median);
  return {
    bench: "ledger",
    bar,
    goal: `>= ${goal} MB/s`,
    measured: `${rate.toFixed(0)} MB/s (${describeFigure(figure)})`,
    reached: rate >= goal,
    ours: figure,
  };
}

/** Counts the ledger in a process of its own, with two threads: once for warming up, then so many times. */
function countInPool(path: string, runs: number): { taken: number[]; megabytes: number } {
  const program = fileURLToPath(new URL("ledger-pool.mjs", import.meta.url));
  const printed = execFileSync(process.execPath, [program, path, String(runs)], { encoding: "utf8" });
  const { taken, lines, kilobytes } = JSON.parse(printed) as {
    taken: number[];
    lines: number;
    kilobytes: number;
  };
  if (lines !== LINES) throw new Error(`the pool counted ${lines} lines`);
  return { taken, megabytes: kilobytes / 1024 };
}

/**
 * The pool's threads and their process; jq looks for one session, as who has no program of ours would. Memory is
 * told of a process that reads the ledger twice: a console reads it whole once, and then what is new. What many
 * whole readings leave to the collector is told beside it.
 */
function poolRows(path: string, bytes: number): Row[] {
  const { taken, megabytes: afterMany } = countInPool(path, RUNS);
  const { megabytes } = countInPool(path, 1);
  const figure = figureOf(taken);
  const begun = performance.now();
  const { error } = spawnSync("jq", ["-c", `select(.session == "${session(17)}")`, path], {
    stdio: "ignore",
  });
  const faster = error === undefined ? (performance.now() - begun) / figure.median : Number.NaN;
  const what = "every episode's events, counts, last activity; two threads";
  return [
    speedRow(what, 400, bytes, figure),
    {
      bench: "ledger",
      bar: `${what}, against jq`,
      goal: ">= 6x",
      measured: Number.isNaN(faster) ? "jq is not installed" : `${faster.toFixed(1)}x`,
      reached: faster >= 6,
    },
    {
      bench: "ledger",
      bar: `${what}, resident`,
      goal: "<= 150 MB",
      measured: `${megabytes.toFixed(0)} MB (${afterMany.toFixed(0)} MB after ${RUNS + 1} readings in one process)`,
      reached: megabytes <= 150,
    },
  ];
}

function refreshRows(path: string): Row[] {
  const before = summariseLedger(path);
  const nothing = timed(() => summariseLedger(path, before), 50);
  const added = Array.from({ length: 1000 }, (_, index) => line(index)).join("\n");
  appendFileSync(path, `${added}\n`);
  const appended = timed(() => summariseLedger(path, before), 15);
  return [
    {
      bench: "ledger",
      bar: "refresh after 1,000 appended lines",
      goal: "<= 10 ms",
      measured: describeFigure(appended),
      reached: appended.median <= 10,
      ours: appended,
    },
    {
      bench: "ledger",
      bar: "refresh when nothing is new",
      goal: "<= 1 ms",
      measured: describeFigure(nothing),
      reached: nothing.median <= 1,
      ours: nothing,
    },
  ];
}

function newTarget(): { ledger: string; locks: string; clock: typeof systemClock } {
  const directory = benchDirectory();
  return { ledger: join(directory, "ledger.jsonl"), locks: join(directory, "locks"), clock: systemClock };
}

function appendRow(bar: string, limit: number, count: number, durable: boolean): Row {
  const target = { ...newTarget(), durable };
  const figure = timed(() => {
    for (let number = 0; number < count; number += 1) appendEvents(target, [line(number)], 1000);
  }, RUNS);
  const rate = count / (figure.median / 1000);
  return {
    bench: "ledger",
    bar: `append, one process, each line under its own lock, ${bar}`,
    goal: `>= ${limit.toLocaleString("en")} lines/s`,
    measured: `${rate.toFixed(0)} lines/s`,
    reached: rate >= limit,
    ours: figure,
  };
}

const WRITERS = 32;
const LINES_EACH = 100;

/** A writer's process, and what tells that it is ready and that it has ended. */
function startWriter(words: readonly string[]): {
  go: () => void;
  ready: Promise<unknown>;
  ended: Promise<unknown>;
} {
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    go: () => child.stdin.end("\n"),
    ready: Promise.race([new Promise((resolve) => child.stdout.once("data", resolve)), ended]),
    ended,
  };
}

/**
 * Writers that wait for each other. They begin together once all have started: on two processors their starts
 * alone take longer than all their lines. Both are told.
 */
async function writersRow(): Promise<Row> {
  const program = fileURLToPath(new URL("ledger-writer.mjs", import.meta.url));
  const { ledger: path, locks } = newTarget();
  const started = performance.now();
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    startWriter([program, path, locks, `s-20260904150000-00${writer}`, String(LINES_EACH)]),
  );
  await Promise.all(writers.map(({ ready }) => ready));
  const begun = performance.now();
  for (const { go } of writers) go();
  await Promise.all(writers.map(({ ended }) => ended));
  const done = performance.now();
  const rateSince = (since: number): number => (WRITERS * LINES_EACH) / ((done - since) / 1000);
  const rate = rateSince(begun);
  const lost = WRITERS * LINES_EACH - summariseLedger(path).lines;
  return {
    bench: "ledger",
    bar: `append, ${WRITERS} processes at once, from when all have started`,
    goal: ">= 2,000 lines/s in total, none lost",
    measured: `${rate.toFixed(0)} lines/s, ${lost} lost (their starts included: ${rateSince(started).toFixed(0)} lines/s)`,
    reached: rate >= 2000 && lost === 0,
  };
}

function growthRow(small: string, large: string): Row {
  const [few, many] = [timed(() => summariseLedger(small), 5), timed(() => summariseLedger(large), 3)];
  const ratio = many.median / few.median;
  return {
    bench: "ledger",
    bar: "full scan when the ledger grows 10x",
    goal: "<= 10.5x",
    measured: `${ratio.toFixed(1)}x`,
    reached: ratio <= 10.5,
  };
}

export const ledger: Bench = {
  name: "ledger",
  async *run() {
    const directory = benchDirectory();
    const path = join(directory, "ledger.jsonl");
    const tenth = join(directory, "tenth.jsonl");
    writeLedger(path, LINES);
    writeLedger(tenth, LINES / 10);
    const bytes = statSync(path).size;
    const reference = timed(() => spawnSync("wc", ["-l", path]), 5);
    yield speedRow(
      `envelope of one episode (wc -l: ${speed(bytes, reference.median).toFixed(0)} MB/s)`,
      600,
      bytes,
      timed(() => sessionLines(path, session(17)), RUNS),
    );
    yield* poolRows(path, bytes);
    yield growthRow(tenth, path);
    yield* refreshRows(path);
    yield appendRow("without fsync", 20_000, 5000, false);
    yield appendRow("with fsync", 400, 100, true);
    yield writersRow();
  },
};
