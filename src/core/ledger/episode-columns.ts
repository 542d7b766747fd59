/** What was counted of every episode, in one array for each thing that is counted, by the number of the session. */
export interface EpisodeColumns {
  /** Lines; 0 for a session that only its number is known of. */
  readonly events: Int32Array;
  /** Checkpoint records that the lines name. */
  readonly checkpoints: Int32Array;
  /** The greatest timestamp, fourteen digits as a number, or -1; and the number of the event that bears it. */
  readonly lastStamp: Float64Array;
  readonly lastEvent: Int32Array;
  /** Where the tasks of a session end in `tasks`. They begin where those of the session before it end. */
  readonly taskEnds: Int32Array;
  /** Numbers of tasks, those of each session in order of first appearance. */
  readonly tasks: Int32Array;
}

/** Of no episode. */
export const NO_EPISODES: EpisodeColumns = {
  events: new Int32Array(0),
  checkpoints: new Int32Array(0),
  lastStamp: new Float64Array(0),
  lastEvent: new Int32Array(0),
  taskEnds: new Int32Array(0),
  tasks: new Int32Array(0),
};

/** Where the tasks of one session begin in `tasks`, for a session that has a number here. */
export function firstTask({ taskEnds }: Pick<EpisodeColumns, "taskEnds">, session: number): number {
  return taskEnds[session - 1] ?? 0;
}

/** The tasks of one session. */
export function tasksOf(columns: EpisodeColumns, session: number): Int32Array {
  return columns.tasks.subarray(firstTask(columns, session), columns.taskEnds[session] ?? 0);
}

/** Whether a session has a task. */
export function hasTask(columns: EpisodeColumns, session: number, task: number): boolean {
  const { tasks } = columns;
  const end = columns.taskEnds[session] ?? 0;
  for (let index = firstTask(columns, session); index < end; index += 1)
    if (tasks[index] === task) return true;
  return false;
}
