import { tasksOf } from "./episode-columns.ts";
import type { EpisodeColumns } from "./episode-columns.ts";
import { stampText } from "./stamp.ts";
import type { TallyNames } from "./tally-names.ts";

/** What the ledger says of one episode. */
export interface EpisodeSummary {
  /** Lines of this episode. */
  events: number;
  /** Checkpoint records that its lines name. */
  checkpoints: number;
  /** Task ids in order of first appearance. */
  tasks: readonly string[];
  /** The greatest timestamp of its lines, and the event that bears it; of equal ones the later line's. */
  lastActivity?: string;
  lastEvent?: string;
}

/** The episodes of a tally, kept as numbers: of a million lines about thousands of episodes one asks for few. */
export class EpisodeTable implements Iterable<[string, EpisodeSummary]> {
  readonly names: TallyNames;
  readonly columns: EpisodeColumns;

  constructor(names: TallyNames, columns: EpisodeColumns) {
    this.names = names;
    this.columns = columns;
  }

  /** What was counted of an episode, by its id. */
  get(session: string): EpisodeSummary | undefined {
    const number = this.names.sessions.find(session);
    return number === undefined ? undefined : this.summaryOf(number);
  }

  *[Symbol.iterator](): Generator<[string, EpisodeSummary]> {
    for (const number of this.columns.events.keys()) {
      const summary = this.summaryOf(number);
      if (summary !== undefined) yield [this.names.sessions.text(number), summary];
    }
  }

  private summaryOf(session: number): EpisodeSummary | undefined {
    const { names, columns } = this;
    const events = columns.events[session] ?? 0;
    if (events === 0) return undefined;
    const checkpoints = columns.checkpoints[session] ?? 0;
    const tasks = Array.from(tasksOf(columns, session), (task) => names.tasks.text(task));
    const lastStamp = columns.lastStamp[session] ?? -1;
    if (lastStamp < 0) return { events, checkpoints, tasks };
    const lastEvent = names.events.text(columns.lastEvent[session] ?? -1);
    return { events, checkpoints, tasks, lastActivity: stampText(lastStamp), lastEvent };
  }
}
