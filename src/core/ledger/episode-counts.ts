import { firstTask, hasTask, tasksOf } from "./episode-columns.ts";
import type { EpisodeColumns } from "./episode-columns.ts";
import { TaskMarks } from "./task-marks.ts";
import { widened, widenedFloats } from "./widened.ts";

/** One log for every count of this thread, if it is not too large to keep; a count beside a count brings its own. */
let spare: Int32Array | undefined;
const LARGEST_SPARE = 2 * 1024 * 1024;

function borrowLog(): Int32Array {
  const log = spare ?? new Int32Array(1024);
  spare = undefined;
  return log;
}

/** A number of fourteen digits that is passed on its own is made an object of, once for each line. */
export interface Stamped {
  readonly stamp: number;
}

/**
 * Counts lines of many episodes on, from what was counted before, which stays as it was. Lines of thousands of
 * episodes come mixed: what they touch is kept small enough to stay in the processor's cache.
 */
export class EpisodeCounts {
  private readonly before: EpisodeColumns;
  private events: Int32Array;
  private checkpoints: Int32Array;
  private lastStamp: Float64Array;
  private lastEvent: Int32Array;
  private lastTask: Int32Array;
  /** One more than the greatest session that was counted. */
  private size: number;
  private readonly marks = new TaskMarks();
  /** New tasks in order of appearance: sessions and tasks in turn. */
  private log = borrowLog();
  private logged = 0;

  constructor(before: EpisodeColumns) {
    this.before = before;
    this.size = before.events.length;
    this.events = before.events.slice();
    this.checkpoints = before.checkpoints.slice();
    this.lastStamp = before.lastStamp.slice();
    this.lastEvent = before.lastEvent.slice();
    this.lastTask = before.taskEnds.map((end, session) =>
      end > firstTask(before, session) ? (before.tasks[end - 1] ?? -1) : -1,
    );
  }

  /** Counts a line. Of equal timestamps the later line's event counts; a stamp of -1 is none. */
  enter(session: number, event: number, { stamp }: Stamped): void {
    if (session >= this.size) this.admit(session);
    this.events[session] = (this.events[session] ?? 0) + 1;
    if (stamp < 0 || stamp < (this.lastStamp[session] ?? -1)) return;
    this.lastStamp[session] = stamp;
    this.lastEvent[session] = event;
  }

  /** Counts a checkpoint of an episode of which a line was entered. */
  enterCheckpoint(session: number): void {
    this.checkpoints[session] = (this.checkpoints[session] ?? 0) + 1;
  }

  /** Notes a task of an episode of which a line was entered. */
  enterTask(session: number, task: number): void {
    if (this.lastTask[session] === task) return;
    this.lastTask[session] = task;
    if (!this.marks.add(session, task) || hasTask(this.before, session, task)) return;
    if (this.logged === this.log.length) this.log = widened(this.log, this.logged * 2);
    this.log[this.logged] = session;
    this.log[this.logged + 1] = task;
    this.logged += 2;
  }

  private admit(session: number): void {
    this.size = session + 1;
    const { length } = this.events;
    if (this.size <= length) return;
    const room = Math.max(64, this.size * 2);
    this.events = widened(this.events, room);
    this.checkpoints = widened(this.checkpoints, room);
    this.lastStamp = widenedFloats(this.lastStamp, room).fill(-1, length);
    this.lastEvent = widened(this.lastEvent, room).fill(-1, length);
    this.lastTask = widened(this.lastTask, room).fill(-1, length);
  }

  /** What was counted. This is the end of the count. */
  result(): EpisodeColumns {
    const { size } = this;
    const tasks = this.tasks();
    if (this.log.length <= LARGEST_SPARE) spare = this.log;
    return {
      events: this.events.slice(0, size),
      checkpoints: this.checkpoints.slice(0, size),
      lastStamp: this.lastStamp.slice(0, size),
      lastEvent: this.lastEvent.slice(0, size),
      ...tasks,
    };
  }

  private tasks(): Pick<EpisodeColumns, "taskEnds" | "tasks"> {
    const { before, log, logged, size } = this;
    const taskEnds = new Int32Array(size);
    for (let index = 0; index < logged; index += 2) {
      const session = log[index] ?? 0;
      taskEnds[session] = (taskEnds[session] ?? 0) + 1;
    }
    const places = new Int32Array(size);
    let end = 0;
    for (let session = 0; session < size; session += 1) {
      const known = Math.max(0, (before.taskEnds[session] ?? 0) - firstTask(before, session));
      places[session] = end + known;
      end += known + (taskEnds[session] ?? 0);
      taskEnds[session] = end;
    }
    // Without a new task the earlier ones stand where they stood.
    if (logged === 0) return { taskEnds, tasks: before.tasks };
    const tasks = new Int32Array(end);
    for (let session = 0; session < before.taskEnds.length; session += 1) {
      tasks.set(tasksOf(before, session), firstTask({ taskEnds }, session));
    }
    for (let index = 0; index < logged; index += 2) {
      const session = log[index] ?? 0;
      const place = places[session] ?? 0;
      tasks[place] = log[index + 1] ?? 0;
      places[session] = place + 1;
    }
    return { taskEnds, tasks };
  }
}
