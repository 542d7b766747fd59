import { LineProbe } from "./probe.ts";
import { readStamp, stampText } from "./stamp.ts";
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
const [EVENT, SESSION, TASK_ID, CHECKPOINT_PATH, SESSION_ID] = [1, 2, 3, 4, 5];

/** Events whose `task_id` is a task of the episode (records.md 3.6). */
const TASK_EVENTS: ReadonlySet<string> = new Set([
  "task.started",
  "task.checkpoint",
  "task.handed_over",
  "task.finished",
]);

/** What is being counted of one episode: a summary that may change. */
class Account {
  events: number;
  checkpoints: number;
  readonly tasks: Set<string>;
  /** Fourteen digits as a number; -1 before the first. */
  lastStamp: number;
  lastEvent: string | undefined;

  constructor(previous: EpisodeSummary | undefined) {
    this.events = previous?.events ?? 0;
    this.checkpoints = previous?.checkpoints ?? 0;
    this.tasks = new Set(previous?.tasks);
    const last = Buffer.from(previous?.lastActivity ?? "");
    this.lastStamp = readStamp(last, 0, last.length);
    this.lastEvent = previous?.lastEvent;
  }
}

/** Counts line after line. Goes on from an earlier tally without changing it. */
export class LedgerCounter {
  private readonly previous: LedgerTally | undefined;
  private readonly probe = new LineProbe(MEMBERS);
  private readonly accounts = new Map<string, Account>();
  private readonly started: Set<string>;
  private readonly closed: Set<string>;
  private readonly recovered: Set<string>;
  private lines: number;
  private malformed: number;
  private unregistered: number;

  constructor(previous?: LedgerTally) {
    this.previous = previous;
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
    this.enter(this.accountOf(session), event);
  }

  /** Counts a line that was too long to be read. */
  countOversized(): void {
    this.lines += 1;
    this.malformed += 1;
  }

  private accountOf(session: string): Account {
    const known = this.accounts.get(session);
    if (known !== undefined) return known;
    const account = new Account(this.previous?.episodes.get(session));
    this.accounts.set(session, account);
    return account;
  }

  private enter(account: Account, event: string): void {
    account.events += 1;
    const stamp = this.probe.stamp();
    if (stamp >= 0 && stamp >= account.lastStamp) {
      account.lastStamp = stamp;
      account.lastEvent = event;
    }
    if (TASK_EVENTS.has(event)) this.enterTask(account, event);
  }

  private enterTask(account: Account, event: string): void {
    const task = this.probe.text(TASK_ID);
    if (task !== "none") addTo(account.tasks, task);
    if (event === "task.checkpoint" && this.probe.has(CHECKPOINT_PATH)) account.checkpoints += 1;
  }

  /** Everything that was counted, the earlier tally included. */
  result(): LedgerTally {
    const episodes = new Map(this.previous?.episodes);
    for (const [session, account] of this.accounts) episodes.set(session, summaryOf(account));
    const { lines, malformed, unregistered, started, closed, recovered } = this;
    return { episodes, lines, malformed, unregistered, started, closed, recovered };
  }
}

function summaryOf({ events, checkpoints, tasks, lastStamp, lastEvent }: Account): EpisodeSummary {
  const summary: EpisodeSummary = { events, checkpoints, tasks: [...tasks] };
  if (lastEvent === undefined) return summary;
  return { ...summary, lastActivity: stampText(lastStamp), lastEvent };
}

function addTo(set: Set<string>, id: string | undefined): void {
  if (id !== undefined && id !== "") set.add(id);
}
