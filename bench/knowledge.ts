import { spawnSync } from "node:child_process";
import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { figureOf } from "./measure.ts";
import { git, newBenchRepository, PROGRAM } from "./place.ts";
import { describeFigure } from "./row.ts";
import type { Bench, Row } from "./row.ts";

const EPISODES = 1000;
const LINES_EACH = 200;
const RUNS = 15;
const LIMIT_MILLISECONDS = 3000;

/** One closed episode: two decisions and an answer among events that say nothing. */
function episode(number: number, head: string): string {
  const session = `s-20260904${String(number).padStart(6, "0")}-${number.toString(16).padStart(4, "0")}`;
  const task = `t-20260904153800-${number.toString(16).padStart(4, "0")}`;
  const line = (event: string, payload: string): string =>
    `{"ts":"2026-09-04T15:37:33Z","event":"${event}","head":"${head}","branch":"main","by":"majordomus/0.1.0","session":"${session}",${payload}}\n`;
  const said = [
    line("decision.recorded", `"task_id":"${task}","decision":"One store, said ${number}"`),
    line("decision.recorded", `"task_id":"none","decision":"Zwei Fälle, ${number}"`),
    line("question.resolved", `"task_id":"${task}","question":"Which port?","answer":"${number}"`),
  ];
  const silent = LINES_EACH - said.length - 2;
  const filler = Array.from({ length: silent }, (_, index) =>
    line("task.checkpoint", `"task_id":"${task}","note":"step ${index}"`),
  );
  return [
    line("session.started", '"owner":"bench"'),
    ...filler,
    ...said,
    line("session.closed", '"outcome":"closed","session_path":"x"'),
  ].join("");
}

function writeLedger(root: string): void {
  const head = git(root, ["rev-parse", "HEAD"]);
  const file = openSync(join(root, ".ai/local/state/ledger.jsonl"), "w");
  for (let number = 0; number < EPISODES; number += 1) writeSync(file, episode(number, head));
  closeSync(file);
}

/**
 * What the last run wrote is put aside, not removed: for minutes after thousands of files were removed, ext4 looks
 * at each of them again before it makes a new one, and the figure would be three times what it is anywhere else.
 */
function backfill(
  root: string,
  environment: Record<string, string | undefined>,
  former: string | undefined,
): number {
  if (former !== undefined) {
    renameSync(join(root, ".ai/repo/knowledge/candidates"), join(root, ".ai/local", former));
  }
  const begun = performance.now();
  const { status, stdout } = spawnSync(
    process.execPath,
    [PROGRAM, "knowledge", "derive", "--all", "--json"],
    {
      cwd: root,
      env: environment,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const taken = performance.now() - begun;
  const { episodes, written } = JSON.parse(stdout) as { episodes: number; written: string[] };
  if (status !== 0 || episodes !== EPISODES || written.length !== EPISODES * 3) {
    throw new Error(`derived ${written.length} candidates of ${episodes} episodes, status ${String(status)}`);
  }
  return taken;
}

function run(): Row[] {
  const { root, environment } = newBenchRepository();
  writeLedger(root);
  backfill(root, environment, undefined);
  const figure = figureOf(
    Array.from({ length: RUNS }, (_, index) => backfill(root, environment, `candidates-${index}`)),
  );
  return [
    {
      bench: "knowledge",
      bar: "derive 1,000 episodes from a ledger of 200,000 lines, 3,000 candidates written",
      goal: "<= 3000 ms",
      measured: describeFigure(figure),
      reached: figure.median <= LIMIT_MILLISECONDS,
      ours: figure,
    },
  ];
}

export const knowledge: Bench = { name: "knowledge", run };
