import { tasksOf } from "./episode-columns.ts";
import type { EpisodeColumns } from "./episode-columns.ts";
import { EpisodeTable } from "./episode-table.ts";
import type { NameTable } from "./name-table.ts";
import type { LedgerTally } from "./tally.ts";
import { TallyNames } from "./tally-names.ts";
import { TaskMarks } from "./task-marks.ts";

/** A tally as it passes from thread to thread: numbers, and the texts that they stand for. */
export interface PackedTally extends Omit<LedgerTally, "episodes"> {
  columns: EpisodeColumns;
  /** By their numbers. */
  sessions: readonly string[];
  tasks: readonly string[];
  events: readonly string[];
}

export function packTally({ episodes, ...rest }: LedgerTally): PackedTally {
  const { sessions, tasks, events } = episodes.names;
  return { ...rest, columns: episodes.columns, sessions: sessions.all, tasks: tasks.all, events: events.all };
}

/** One part of a ledger, and what its numbers are in the whole. */
interface Part {
  columns: EpisodeColumns;
  tasks: readonly number[];
  events: readonly number[];
  /** The other way: by the number of a session in the whole, its number in the part. */
  sessions: readonly (number | undefined)[];
}

/** The tally of a whole ledger from those of its parts, which stand in file order. */
export function joinTallies(tallies: readonly PackedTally[]): LedgerTally {
  const names = new TallyNames();
  const parts = tallies.map((tally) => partOf(tally, names));
  return {
    episodes: new EpisodeTable(names, joinColumns(parts, names.sessions.all.length)),
    lines: sum(tallies.map(({ lines }) => lines)),
    malformed: sum(tallies.map(({ malformed }) => malformed)),
    unregistered: sum(tallies.map(({ unregistered }) => unregistered)),
    started: new Set(tallies.flatMap(({ started }) => [...started])),
    closed: new Set(tallies.flatMap(({ closed }) => [...closed])),
    recovered: new Set(tallies.flatMap(({ recovered }) => [...recovered])),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function partOf({ columns, sessions, tasks, events }: PackedTally, names: TallyNames): Part {
  const numbersIn = (table: NameTable, texts: readonly string[]): number[] =>
    texts.map((text) => table.nameOf(text));
  const inPart: (number | undefined)[] = [];
  for (const [number, session] of numbersIn(names.sessions, sessions).entries()) {
    while (inPart.length < session) inPart.push(undefined);
    inPart[session] = number;
  }
  return {
    columns,
    tasks: numbersIn(names.tasks, tasks),
    events: numbersIn(names.events, events),
    sessions: inPart,
  };
}

function joinColumns(parts: readonly Part[], size: number): EpisodeColumns {
  const whole = {
    events: new Int32Array(size),
    checkpoints: new Int32Array(size),
    lastStamp: new Float64Array(size).fill(-1),
    lastEvent: new Int32Array(size).fill(-1),
    taskEnds: new Int32Array(size),
    tasks: new Int32Array(sum(parts.map(({ columns }) => columns.tasks.length))),
  };
  const marks = new TaskMarks();
  let end = 0;
  for (let session = 0; session < size; session += 1) {
    for (const part of parts) {
      const number = part.sessions[session];
      if (number === undefined) continue;
      addEpisode(whole, session, part, number);
      for (const task of tasksOf(part.columns, number)) {
        const name = part.tasks[task] ?? 0;
        if (!marks.add(session, name)) continue;
        whole.tasks[end] = name;
        end += 1;
      }
    }
    whole.taskEnds[session] = end;
  }
  return { ...whole, tasks: end === whole.tasks.length ? whole.tasks : whole.tasks.slice(0, end) };
}

function addEpisode(whole: EpisodeColumns, session: number, { columns, events }: Part, number: number): void {
  whole.events[session] = (whole.events[session] ?? 0) + (columns.events[number] ?? 0);
  whole.checkpoints[session] = (whole.checkpoints[session] ?? 0) + (columns.checkpoints[number] ?? 0);
  const stamp = columns.lastStamp[number] ?? -1;
  if (stamp < 0 || stamp < (whole.lastStamp[session] ?? -1)) return;
  whole.lastStamp[session] = stamp;
  whole.lastEvent[session] = events[columns.lastEvent[number] ?? -1] ?? -1;
}
