import { spawn } from "@lydell/node-pty";
import type { IPty } from "@lydell/node-pty";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { figureOf } from "./measure.ts";
import type { Figure } from "./measure.ts";
import { newBenchRepository, PROGRAM } from "./place.ts";
import { describeFigure } from "./row.ts";
import type { Bench, Row } from "./row.ts";

const OPEN = 200;
const CLOSED = 5000;
const LINES = 50_000;
const STARTS = 7;
const KEYS = 60;
const QUIET_MILLISECONDS = 20_000;

function sessionId(number: number): string {
  return `s-2026090412${String(number % 3600).padStart(4, "0")}-${number.toString(16).padStart(4, "0")}`;
}

/** A store of the size that the bars name, written as the program would have written it. */
function fill(root: string): void {
  const state = join(root, ".ai", "local", "state");
  const open = join(state, "sessions-open");
  const sessions = join(root, ".ai", "repo", "sessions");
  for (const directory of [open, sessions]) mkdirSync(directory, { recursive: true });
  for (let number = 0; number < OPEN; number += 1) {
    const identity = `repository_id: ${root}/.git\nworktree: ${root}\nbranch: main\nstart_head: NONE\nstart_working_tree: clean\n`;
    const head = `session_id: ${sessionId(number)}\nstarted_at: 2026-09-04T12:00:00Z\nowner: "bench"\nprovider: "claude-code"\nprovider_session: "b-${number}"\n# computed from git; never authored\n`;
    writeFileSync(join(open, `b-${number}.yaml`), head + identity);
  }
  for (let number = OPEN; number < OPEN + CLOSED; number += 1) {
    const id = sessionId(number);
    const record = `---\nschema: session/v1\nkind: session\ncreated_at: 2026-09-04T12:00:00Z\nbranch: main\nsession_id: ${id}\nstarted_at: 2026-09-04T12:00:00Z\nclosed_at: 2026-09-04T13:00:00Z\noutcome: closed\ntitle: "Sitting ${number}"\n---\n\n`;
    writeFileSync(
      join(sessions, `20260904T130000Z--${id}--main--0000000--${number.toString(16).padStart(16, "0")}.md`),
      record,
    );
  }
  const lines = Array.from(
    { length: LINES },
    (_, number) =>
      `{"ts":"2026-09-04T12:00:00Z","event":"task.checkpoint","head":"NONE","branch":"main","by":"majordomus/0.1.0","session":"${sessionId(number % (OPEN + CLOSED))}","task_id":"none"}`,
  );
  writeFileSync(join(state, "ledger.jsonl"), `${lines.join("\n")}\n`);
}

type Place = ReturnType<typeof newBenchRepository>;

interface Size {
  columns: number;
  rows: number;
}
const USUAL: Size = { columns: 120, rows: 40 };
const LARGE: Size = { columns: 200, rows: 60 };

function inTerminal(place: Place, command: readonly string[], { columns, rows } = USUAL): IPty {
  const environment = { ...place.environment, CI: undefined, TERM: "xterm-256color" };
  const defined = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  return spawn(process.execPath, [...command], {
    cols: columns,
    rows,
    cwd: place.root,
    env: defined,
  });
}

/** Milliseconds until what was printed passes a test, from the start of the process. */
function until(terminal: IPty, test: (printed: string) => boolean): Promise<number> {
  const begun = performance.now();
  let printed = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the console did not come up")), 60_000);
    terminal.onData((data) => {
      printed += data;
      if (!test(printed)) return;
      clearTimeout(timer);
      resolve(performance.now() - begun);
    });
  });
}

/** Whether the sum that comes last, started = closed + recovered + open + unaccounted, was drawn. */
function hasBalance(printed: string): boolean {
  return / \+ (?:unaccounted )?0\b/.test(printed);
}

async function end(terminal: IPty): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    terminal.onExit(() => resolve());
  });
  terminal.kill("SIGTERM");
  await ended;
}

async function startFigures(
  place: Place,
): Promise<{ bare: Figure; header: Figure; frame: Figure; data: Figure }> {
  const taken = { bare: [] as number[], header: [] as number[], frame: [] as number[], data: [] as number[] };
  for (let run = 0; run <= STARTS; run += 1) {
    const node = inTerminal(place, ["-e", "console.log('up')"]);
    const bare = await until(node, (printed) => printed.includes("up"));
    const terminal = inTerminal(place, [PROGRAM, "tui"]);
    const [header, frame, data] = await Promise.all([
      until(terminal, (printed) => printed.includes("majordomus")),
      until(terminal, (printed) => printed.includes("Episodes")),
      until(terminal, hasBalance),
    ]);
    await end(terminal);
    // The first round only warms the disk.
    if (run === 0) continue;
    taken.bare.push(bare);
    taken.header.push(header);
    taken.frame.push(frame);
    taken.data.push(data);
  }
  return {
    bare: figureOf(taken.bare),
    header: figureOf(taken.header),
    frame: figureOf(taken.frame),
    data: figureOf(taken.data),
  };
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Seconds of processor that a process has used, as finely as the system tells: Linux's `ps` has whole seconds only. */
function secondsOf(pid: number, printed: string): number {
  if (!existsSync(`/proc/${pid}/stat`)) {
    return printed.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  }
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** What a process has used of the processor, and what it has resident in megabytes. */
function usageOf(pid: number): { seconds: number; megabytes: number } {
  const printed = execFileSync("ps", ["-o", "time=,rss=", "-p", String(pid)], { encoding: "utf8" });
  const [time = "", kilobytes = "0"] = printed.trim().split(/\s+/);
  return { seconds: secondsOf(pid, time), megabytes: Number(kilobytes) / 1024 };
}

async function keyRow(terminal: IPty, { columns, rows }: Size, limit: number): Promise<Row> {
  const taken: number[] = [];
  for (let number = 0; number < KEYS; number += 1) {
    const answered = until(terminal, (printed) => printed.length > 0);
    terminal.write("j");
    taken.push(await answered);
    await pause(40);
  }
  const figure = figureOf(taken);
  const p95 = taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? Number.NaN;
  return {
    bench: "console",
    bar: `key to first byte of the frame, p95, ${columns}x${rows}`,
    goal: `<= ${limit} ms`,
    measured: `${p95.toFixed(1)} ms (${describeFigure(figure)})`,
    reached: p95 <= limit,
    ours: figure,
  };
}

/** What a console does while nothing happens. */
async function quietRows(terminal: IPty): Promise<Row[]> {
  let bytes = 0;
  await pause(1000);
  const listening = terminal.onData((data) => {
    bytes += data.length;
  });
  const before = usageOf(terminal.pid);
  await pause(QUIET_MILLISECONDS);
  const after = usageOf(terminal.pid);
  listening.dispose();
  const share = ((after.seconds - before.seconds) * 1000) / QUIET_MILLISECONDS;
  return [
    {
      bench: "console",
      bar: `bytes written in ${QUIET_MILLISECONDS / 1000} s while nothing changes`,
      goal: "0",
      measured: `${bytes}`,
      reached: bytes === 0,
    },
    {
      bench: "console",
      bar: "processor in these seconds",
      goal: "<= 0.5 % of a core",
      measured: `${(share * 100).toFixed(2)} %`,
      reached: share <= 0.005,
    },
    {
      bench: "console",
      bar: "resident",
      goal: "<= 150 MB",
      measured: `${after.megabytes.toFixed(0)} MB`,
      reached: after.megabytes <= 150,
    },
  ];
}

async function* openRows(place: Place): AsyncGenerator<Row> {
  for (const [size, limit] of [
    [USUAL, 33],
    [LARGE, 50],
  ] as const) {
    const terminal = inTerminal(place, [PROGRAM, "tui"], size);
    await until(terminal, hasBalance);
    await pause(2000);
    yield await keyRow(terminal, size, limit);
    if (size === USUAL) yield* await quietRows(terminal);
    await end(terminal);
  }
}

export const terminal: Bench = {
  name: "console",
  async *run() {
    const place = newBenchRepository();
    fill(place.root);
    const { bare, header, frame, data } = await startFigures(place);
    const ratio = header.median / bare.median;
    const beyond = frame.median - bare.median;
    yield* [
      {
        bench: "console",
        bar: "header row, against bare Node in the same terminal",
        goal: "<= 1.6x",
        measured: `${ratio.toFixed(2)}x (${describeFigure(header)})`,
        reached: ratio <= 1.6,
        ours: header,
        reference: bare,
      },
      {
        bench: "console",
        bar: "first full frame, beyond bare Node",
        goal: "<= 350 ms",
        measured: `${beyond.toFixed(0)} ms (${describeFigure(frame)})`,
        reached: beyond <= 350,
        ours: frame,
        reference: bare,
      },
      {
        bench: "console",
        bar: "all data",
        goal: "<= 2,000 ms",
        measured: describeFigure(data),
        reached: data.median <= 2000,
        ours: data,
      },
    ];
    yield* openRows(place);
  },
};
