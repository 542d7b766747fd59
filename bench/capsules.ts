import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { selectCapsule } from "../src/core/capsule/select.ts";
import { BARE_NODE, compare, timed } from "./measure.ts";
import type { Command } from "./measure.ts";
import { benchDirectory, newBenchRepository, PROGRAM } from "./place.ts";
import { describeFigure, ratioRow } from "./row.ts";
import type { Bench, Row } from "./row.ts";

const CAPSULES = 10_000;
const TRANSCRIPT_BYTES = 100 * 1024 * 1024;
const STATUSES = ["active", "resumed", "draft", "paused"];
const COMMAND_ALLOWANCE = 350;
const POOL_ALLOWANCE = 150;

/** Ten thousand capsules of about 3 KB, a quarter of them active, and every kind of rejection among the rest. */
function fill(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const body = "- what was said and done, in a line of some length\n".repeat(50);
  for (let number = 0; number < CAPSULES; number += 1) {
    const day = String(1 + (number % 28)).padStart(2, "0");
    const head = [
      `id: "c${number}"`,
      `status: ${STATUSES[number % STATUSES.length] ?? "active"}`,
      number % 7 === 0 ? "objective: null" : `objective: "Do the thing of number ${number}"`,
      'waiting_on: "the build"',
      'next_valid_action: "Run it again"',
      "tags: [capsule]",
      `created_at: 2026-10-${day}T10:00:00Z`,
    ];
    writeFileSync(join(directory, `c${number}.md`), `---\n${head.join("\n")}\n---\n\n${body}`);
  }
}

function selectRows(): Row[] {
  const { root, environment } = newBenchRepository();
  const memory = join(root, ".ai/local/memory");
  fill(join(memory, "capsules"));
  const command = compare(
    { arguments: [PROGRAM, "capsule", "select", "--json"], directory: root, environment },
    BARE_NODE,
    15,
  );
  const above = command.ours.median - command.reference.median;
  const now = Date.parse("2026-11-30T12:00:00Z");
  const warm = timed(() => selectCapsule(memory, now), 15);
  return [
    {
      bench: "capsules",
      bar: `select among ${CAPSULES} capsules, in a command`,
      goal: `<= ${COMMAND_ALLOWANCE} ms above bare Node`,
      measured: `${above.toFixed(0)} ms above (${describeFigure(command.ours)})`,
      reached: above <= COMMAND_ALLOWANCE,
      ours: command.ours,
      reference: command.reference,
    },
    {
      bench: "capsules",
      bar: `select among ${CAPSULES} capsules, warm`,
      goal: `<= ${POOL_ALLOWANCE} ms`,
      measured: describeFigure(warm),
      reached: warm.median <= POOL_ALLOWANCE,
      ours: warm,
    },
  ];
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Stops with a transcript of 100 MB; each run waits for the worker of the one before, which is no part of it. So does
 * bare Node: a processor that rested starts anything later than one that is at work. First beside the work tree's server, which a
 * session's start sees to unless it is told not to, then without one.
 */
function stopRows(): Row[] {
  const { root, environment } = newBenchRepository();
  const transcript = join(benchDirectory(), "transcript.jsonl");
  const row = `${JSON.stringify({ type: "attachment", content: "x".repeat(100_000) })}\n`;
  writeFileSync(transcript, "");
  for (let written = 0; written < TRANSCRIPT_BYTES; written += row.length * 100) {
    appendFileSync(transcript, row.repeat(100));
  }
  const hook = (event: string, more: object): Command => ({
    arguments: [PROGRAM, "hook", event, "--provider", "claude-code"],
    directory: root,
    environment,
    input: JSON.stringify({
      session_id: "bench-1",
      cwd: root,
      hook_event_name: event,
      transcript_path: transcript,
      ...more,
    }),
  });
  compare(hook("SessionStart", { source: "startup" }), BARE_NODE, 1);
  const memory = join(root, ".ai/local/memory");
  const locks = join(memory, "runtime/locks");
  const busy = (): boolean => {
    try {
      return readdirSync(locks).some((name) => name.startsWith("autosave-"));
    } catch {
      return false;
    }
  };
  const waitForWorker = (): void => {
    do Atomics.wait(sleeper, 0, 0, 400);
    while (busy());
  };
  let turns = 0;
  const said = (): string => `Go on with number ${turns}`;
  const stop = hook("Stop", { stop_hook_active: false });
  stop.before = () => {
    turns += 1;
    const line = { type: "user", message: { role: "user", content: said() } };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
    waitForWorker();
  };
  const measure = (bar: string): Row => {
    const measured = compare(stop, { ...BARE_NODE, before: waitForWorker });
    waitForWorker();
    const [capsule = ""] = readdirSync(join(memory, "capsules"));
    if (!readFileSync(join(memory, "capsules", capsule), "utf8").includes(said())) {
      throw new Error(`${bar}: the last turn was not saved`);
    }
    return ratioRow("capsules", bar, 1.15, measured);
  };
  const serve = (what: string): void => {
    execFileSync(process.execPath, [PROGRAM, "serve", what], {
      cwd: root,
      env: environment,
      stdio: "ignore",
    });
  };
  serve("ensure");
  try {
    const bar = "Stop with a 100 MB transcript, until the hook returns";
    const served = measure(bar);
    serve("stop");
    return [served, measure(`${bar}, where no server runs`)];
  } finally {
    serve("stop");
  }
}

export const capsules: Bench = {
  name: "capsules",
  run: () => [...selectRows(), ...stopRows()],
};
