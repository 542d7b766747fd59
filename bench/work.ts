import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { BARE_NODE, compare } from "./measure.ts";
import type { Command } from "./measure.ts";
import { benchDirectory, git, newBenchRepository, PROGRAM } from "./place.ts";
import { ratioRow } from "./row.ts";
import type { Bench, Row } from "./row.ts";

const RECORDS = 1000;
const SEARCHED = 10_000;
const COMMITS = 20;
const TASK = "t-20261130090000-aaaa";

interface Place {
  root: string;
  environment: Record<string, string | undefined>;
}

function act({ root, environment }: Place, words: readonly string[], input = ""): void {
  execFileSync(process.execPath, [PROGRAM, ...words], {
    cwd: root,
    env: environment,
    input,
    stdio: ["pipe", "ignore", "inherit"],
  });
}

/** Handovers and checkpoints as the program writes them, at the commits of a short history. */
function writeRecords({ root }: Place, count: number, heads: readonly string[]): void {
  const state = join(root, ".ai", "local", "state");
  for (let number = 0; number < count; number += 1) {
    const kind = number % 2 === 0 ? "handovers" : "checkpoints";
    const head = heads[number % heads.length] ?? "";
    const time = new Date(Date.UTC(2026, 8, 1) + number * 60_000).toISOString().replace(".000Z", "Z");
    const stamp = time.replaceAll(/[-:]/g, "");
    mkdirSync(join(state, kind), { recursive: true });
    writeFileSync(
      join(state, kind, `${stamp}--main--${head.slice(0, 7)}--${number.toString(16).padStart(16, "0")}.md`),
      [
        "---",
        "schema_version: 1",
        `created_at: ${time}`,
        `task_id: ${number % 3 === 0 ? TASK : "none"}`,
        "profile: implementation",
        'owner: "bench"',
        `repository_id: ${root}/.git`,
        `worktree: ${root}`,
        "branch: main",
        `head: ${head}`,
        "working_tree: clean",
        "changed_files:",
        "---",
        "",
        `# Objective\n\nNumber ${number}\n\n# Current State\n\n${"Half of it is done. ".repeat(20)}\n`,
        "# Next Action\n\nGo on.\n",
      ].join("\n"),
    );
  }
}

/** A repository with so many records, a short history and an active task. */
function placeWith(records: number): Place {
  const place = newBenchRepository();
  for (let number = 0; number < COMMITS; number += 1) {
    git(place.root, ["commit", "-q", "--allow-empty", "-m", `Step ${number}`]);
  }
  const heads = git(place.root, ["rev-list", `-${COMMITS}`, "HEAD"]).split("\n");
  act(place, ["start", "Bring the harbour lights back", "--scope", "src/**"]);
  writeRecords(place, records, heads);
  return place;
}

/** A git on the way of a process that notes each call of it; the processes that were made are counted there. */
function countingGit(): { path: string; count: () => number } {
  const directory = benchDirectory();
  const log = join(directory, "calls");
  const real = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((entry) => join(entry, "git"))
    .find((path) => existsSync(path));
  writeFileSync(join(directory, "git"), `#!/bin/sh\necho x >> '${log}'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    path: `${directory}${delimiter}${dirname(process.execPath)}`,
    count: () => {
      const calls = existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
      rmSync(log, { force: true });
      return calls;
    },
  };
}

function gitRow(bench: string, bar: string, limit: number, count: number): Row {
  return { bench, bar, goal: `<= ${limit}`, measured: `${count}`, reached: count <= limit };
}

function* commandRows(): Generator<Row> {
  const place = placeWith(RECORDS);
  const { path, count } = countingGit();
  for (const [name, limit] of [
    ["context", 2.2],
    ["check", 2.2],
    ["doctor", 4],
  ] as const) {
    const command: Command = {
      arguments: [PROGRAM, name],
      directory: place.root,
      environment: place.environment,
    };
    yield ratioRow(
      "work",
      `${name} in a repository with ${RECORDS} records`,
      limit,
      compare(command, BARE_NODE),
    );
    if (name === "doctor") continue;
    spawnSync(process.execPath, [PROGRAM, name], {
      cwd: place.root,
      env: { ...place.environment, PATH: path },
      stdio: "ignore",
    });
    yield gitRow("work", `git processes of ${name}`, 3, count());
  }
}

function searchRow(): Row {
  const place = newBenchRepository();
  writeRecords(place, SEARCHED, [git(place.root, ["rev-parse", "HEAD"])]);
  const state = join(place.root, ".ai", "local", "state");
  const ours: Command = {
    arguments: [PROGRAM, "search", "number 9999"],
    directory: place.root,
    environment: place.environment,
  };
  const grep: Command = { program: "grep", arguments: ["-ri", "number 9999", state] };
  const result = compare(ours, grep);
  const bare = compare(BARE_NODE, BARE_NODE, 15).ours.median;
  const speed = result.reference.median / (result.ours.median - bare);
  return {
    bench: "work",
    bar: `search over ${SEARCHED} records, beyond bare Node, against grep -ri`,
    goal: ">= 0.5x the speed",
    measured: `${speed.toFixed(2)}x (ours ${result.ours.median.toFixed(0)} ms, bare Node ${bare.toFixed(0)}, grep ${result.reference.median.toFixed(0)})`,
    reached: speed >= 0.5,
    ours: result.ours,
    reference: result.reference,
  };
}

function hook({ root, environment }: Place, event: string, session: string, more: object = {}): Command {
  const payload = {
    session_id: session,
    cwd: root,
    hook_event_name: event,
    transcript_path: "/nowhere/x.jsonl",
  };
  return {
    arguments: [PROGRAM, "hook", event, "--provider", "claude-code"],
    directory: root,
    environment,
    input: JSON.stringify({ ...payload, ...more }),
  };
}

function runHook(command: Command, path?: string): void {
  spawnSync(process.execPath, command.arguments, {
    cwd: command.directory,
    input: command.input ?? "",
    env: path === undefined ? command.environment : { ...command.environment, PATH: path },
    stdio: ["pipe", "ignore", "ignore"],
  });
}

/** Lines of other sessions, and some of the one that is judged. */
function fillLedger({ root }: Place, lines: number, session: string): void {
  const state = join(root, ".ai", "local", "state");
  const open = readFileSync(join(state, "sessions-open", `${session}.yaml`), "utf8");
  const id = /session_id: (\S+)/.exec(open)?.[1] ?? "";
  const text = Array.from({ length: lines }, (_, number) => {
    const owner = number % 100 === 0 ? id : "s-20260904100000-ffff";
    return `{"ts":"2026-09-04T10:00:00Z","event":"question.opened","head":"NONE","branch":"main","by":"majordomus/0.1.0","session":"${owner}","task_id":"none","question":"question ${number % 50}"}`;
  });
  appendFileSync(join(state, "ledger.jsonl"), `${text.join("\n")}\n`);
}

function* endRows(lines: number, limit: number): Generator<Row> {
  const place = placeWith(0);
  const start = { source: "startup" };
  runHook(hook(place, "SessionStart", "kept", start));
  fillLedger(place, lines, "kept");
  const compact = hook(place, "PreCompact", "kept", { trigger: "auto" });
  yield ratioRow("work", `PreCompact, a ledger of ${lines} lines`, limit, compare(compact, BARE_NODE));
  let number = 0;
  const end: Command & { input: string } = { ...hook(place, "SessionEnd", ""), input: "" };
  end.before = () => {
    number += 1;
    runHook(hook(place, "SessionStart", `ended-${number}`, start));
    end.input = hook(place, "SessionEnd", `ended-${number}`, { reason: "logout" }).input ?? "";
  };
  yield ratioRow("work", `SessionEnd, a ledger of ${lines} lines`, limit, compare(end, BARE_NODE));
}

const COUNTED: readonly [event: string, limit: number, more: object][] = [
  ["SessionStart", 3, { source: "startup" }],
  ["UserPromptSubmit", 0, { prompt: "go on" }],
  ["Stop", 0, {}],
  ["SubagentStop", 0, { agent_id: "a1", agent_type: "x" }],
  ["PreCompact", 3, { trigger: "auto" }],
  ["SessionEnd", 4, { reason: "logout" }],
];

function countRows(): Row[] {
  const place = placeWith(RECORDS);
  const { path, count } = countingGit();
  return COUNTED.map(([event, limit, more]) => {
    runHook(hook(place, event, "counted", more), path);
    return gitRow("work", `git processes of ${event}, ${RECORDS} records`, limit, count());
  });
}

export const work: Bench = {
  name: "work",
  run: () => [...commandRows(), searchRow(), ...endRows(5000, 2.2), ...endRows(200_000, 2.6), ...countRows()],
};
