import { spawn } from "@lydell/node-pty";
import type { IPty } from "@lydell/node-pty";
import { mkdirSync, writeFileSync } from "node:fs";
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
const QUIET_MILLISECONDS = 5000;

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

function inTerminal(place: Place, command: readonly string[]): IPty {
  const environment = { ...place.environment, CI: undefined, TERM: "xterm-256color" };
  const defined = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  return spawn(process.execPath, [...command], {
    cols: 120,
    rows: 40,
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
      until(terminal, (printed) => printed.includes("unaccounted") || / \+ 0 /.test(printed)),
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

async function keyRows(place: Place): Promise<Row[]> {
  const terminal = inTerminal(place, [PROGRAM, "tui"]);
  await until(terminal, (printed) => / \+ 0 /.test(printed));
  await pause(2000);
  const taken: number[] = [];
  for (let number = 0; number < KEYS; number += 1) {
    const answered = until(terminal, (printed) => printed.length > 0);
    terminal.write("j");
    taken.push(await answered);
    await pause(40);
  }
  let bytes = 0;
  await pause(1000);
  const listening = terminal.onData((data) => {
    bytes += data.length;
  });
  await pause(QUIET_MILLISECONDS);
  listening.dispose();
  await end(terminal);
  const figure = figureOf(taken);
  const p95 = taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? Number.NaN;
  return [
    {
      bench: "console",
      bar: "key to first byte of the frame, p95, 120x40",
      goal: "<= 33 ms",
      measured: `${p95.toFixed(1)} ms (${describeFigure(figure)})`,
      reached: p95 <= 33,
      ours: figure,
    },
    {
      bench: "console",
      bar: `bytes written in ${QUIET_MILLISECONDS / 1000} s while nothing changes`,
      goal: "0",
      measured: `${bytes}`,
      reached: bytes === 0,
    },
  ];
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
    yield* await keyRows(place);
  },
};
