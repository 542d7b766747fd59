import { ComposedLine } from "./composed-line.ts";
import { EpisodeCounts } from "./episode-counts.ts";
import type { Stamped } from "./episode-counts.ts";
import { NO_EPISODES } from "./episode-columns.ts";
import { EpisodeTable } from "./episode-table.ts";
import { LineProbe } from "./probe.ts";
import { KIND, TallyNames } from "./tally-names.ts";

/** All episodes of some ledger lines, and what the balance counts. */
export interface LedgerTally {
  episodes: EpisodeTable;
  /** Complete lines, malformed ones included. */
  lines: number;
  malformed: number;
  unregistered: number;
  /** Ids of episodes with `session.started`, with `session.closed`, and of those that `session.recovered` names. */
  started: ReadonlySet<string>;
  closed: ReadonlySet<string>;
  recovered: ReadonlySet<string>;
}

const MEMBERS = ["session", "task_id", "checkpoint_path", "session_id"];
const [EVENT, SESSION, TASK_ID, CHECKPOINT_PATH, SESSION_ID] = [1, 2, 3, 4, 5];

/** Counts line after line. Goes on from an earlier tally without changing it. */
export class LedgerCounter {
  private readonly names: TallyNames;
  private readonly probe = new LineProbe(MEMBERS);
  private readonly composed: ComposedLine;
  private readonly counts: EpisodeCounts;
  private readonly started: Set<string>;
  private readonly closed: Set<string>;
  private readonly recovered: Set<string>;
  private lines: number;
  private malformed: number;
  private unregistered: number;

  constructor(previous?: LedgerTally) {
    this.names = previous?.episodes.names ?? new TallyNames();
    this.composed = new ComposedLine(this.names);
    this.counts = new EpisodeCounts(previous?.episodes.columns ?? NO_EPISODES);
    this.started = new Set(previous?.started);
    this.closed = new Set(previous?.closed);
    this.recovered = new Set(previous?.recovered);
    this.lines = previous?.lines ?? 0;
    this.malformed = previous?.malformed ?? 0;
    this.unregistered = previous?.unregistered ?? 0;
  }

  /** Counts the line `[start, end)`. */
  count(buffer: Buffer, start: number, end: number): void {
    const { composed, probe, names } = this;
    this.lines += 1;
    if (composed.read(buffer, start, end)) {
      if (probe.readPayload(buffer, composed.rest, end)) {
        this.enter(composed.event, composed.session, composed);
      } else this.malformed += 1;
    } else if (probe.read(buffer, start, end)) {
      const session = probe.name(SESSION, names.sessions);
      const stamped = { stamp: probe.stamp() };
      this.enter(probe.name(EVENT, names.events), session === names.noSession ? -1 : session, stamped);
    } else this.malformed += 1;
  }

  /** Counts a line that was too long to be read. */
  countOversized(): void {
    this.lines += 1;
    this.malformed += 1;
  }

  /** Counts a line that is read, by the numbers of its event and its session; a session of -1 is none. */
  private enter(event: number, session: number, stamped: Stamped): void {
    const { names } = this;
    const kind = names.kindOf(event);
    if ((kind & KIND.registered) === 0) this.unregistered += 1;
    if ((kind & KIND.recovered) !== 0) addTo(this.recovered, this.probe.text(SESSION_ID));
    if (session < 0) return;
    if ((kind & KIND.started) !== 0) this.started.add(names.sessions.text(session));
    else if ((kind & KIND.closed) !== 0) this.closed.add(names.sessions.text(session));
    this.counts.enter(session, event, stamped);
    if ((kind & KIND.task) !== 0) this.enterTask(session, kind);
  }

  private enterTask(session: number, kind: number): void {
    const { names, probe, counts } = this;
    const task = probe.name(TASK_ID, names.tasks);
    if (task >= 0 && task !== names.noTask && task !== names.emptyTask) counts.enterTask(session, task);
    if ((kind & KIND.checkpoint) !== 0 && probe.has(CHECKPOINT_PATH)) counts.enterCheckpoint(session);
  }

  /** Everything that was counted, the earlier tally included. */
  result(): LedgerTally {
    const { lines, malformed, unregistered, started, closed, recovered } = this;
    const episodes = new EpisodeTable(this.names, this.counts.result());
    return { episodes, lines, malformed, unregistered, started, closed, recovered };
  }
}

function addTo(set: Set<string>, id: string | undefined): void {
  if (id !== undefined && id !== "") set.add(id);
}
