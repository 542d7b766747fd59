import { LineProbe } from "./probe.ts";
import { isRegistered } from "./vocabulary.ts";

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

/** All episodes of some ledger lines, and what the balance counts. */
export interface LedgerTally {
  episodes: ReadonlyMap<string, EpisodeSummary>;
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
const [TS, EVENT, SESSION, TASK_ID, CHECKPOINT_PATH, SESSION_ID] = [0, 1, 2, 3, 4, 5];

/** Events whose `task_id` is a task of the episode (records.md 3.6). */
const TASK_EVENTS: ReadonlySet<string> = new Set([
  "task.started",
  "task.checkpoint",
  "task.handed_over",
  "task.finished",
]);

/** Counts line after line. Goes on from an earlier tally without changing it. */
export class LedgerCounter implements LedgerTally {
  readonly episodes: Map<string, EpisodeSummary>;
  readonly started: Set<string>;
  readonly closed: Set<string>;
  readonly recovered: Set<string>;
  lines: number;
  malformed: number;
  unregistered: number;
  private readonly probe = new LineProbe(MEMBERS);
  /** Episodes whose summary is already our own copy. */
  private readonly owned = new Set<string>();

  constructor(previous?: LedgerTally) {
    this.episodes = new Map(previous?.episodes);
    this.started = new Set(previous?.started);
    this.closed = new Set(previous?.closed);
    this.recovered = new Set(previous?.recovered);
    this.lines = previous?.lines ?? 0;
    this.malformed = previous?.malformed ?? 0;
    this.unregistered = previous?.unregistered ?? 0;
  }

  /** Counts the line `[start, end)`. */
  count(buffer: Buffer, start: number, end: number): void {
    const { probe } = this;
    this.lines += 1;
    const event = probe.read(buffer, start, end) ? probe.text(EVENT) : undefined;
    if (event === undefined) {
      this.malformed += 1;
      return;
    }
    if (!isRegistered(event)) this.unregistered += 1;
    if (event === "session.recovered") addTo(this.recovered, probe.text(SESSION_ID));
    const session = probe.text(SESSION);
    if (session === undefined || session === "") return;
    if (event === "session.started") this.started.add(session);
    else if (event === "session.closed") this.closed.add(session);
    this.summarise(this.own(session), event);
  }

  /** Counts a line that was too long to be read. */
  countOversized(): void {
    this.lines += 1;
    this.malformed += 1;
  }

  private own(session: string): EpisodeSummary {
    const known = this.episodes.get(session);
    if (known !== undefined && this.owned.has(session)) return known;
    const own = known === undefined ? { events: 0, checkpoints: 0, tasks: [] } : { ...known };
    this.owned.add(session);
    this.episodes.set(session, own);
    return own;
  }

  private summarise(summary: EpisodeSummary, event: string): void {
    const { probe } = this;
    const ts = probe.text(TS) ?? "";
    summary.events += 1;
    if (isTimestampShaped(ts) && ts >= (summary.lastActivity ?? "")) {
      summary.lastActivity = ts;
      summary.lastEvent = event;
    }
    if (!TASK_EVENTS.has(event)) return;
    const task = probe.text(TASK_ID);
    if (task !== undefined && task !== "" && task !== "none" && !summary.tasks.includes(task)) {
      summary.tasks = [...summary.tasks, task];
    }
    if (event === "task.checkpoint" && probe.has(CHECKPOINT_PATH)) summary.checkpoints += 1;
  }
}

function addTo(set: Set<string>, id: string | undefined): void {
  if (id !== undefined && id !== "") set.add(id);
}

/** Cheap, for a million lines: 20 characters, `T` and `Z` in their places. */
function isTimestampShaped(text: string): boolean {
  return text.length === 20 && text[10] === "T" && text[19] === "Z";
}
