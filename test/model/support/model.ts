import type { EventFacts, WorktreeName } from "./world.ts";

/** One episode as the rules say that it is, told without a look at any store. */
export interface ModelEpisode {
  session: string;
  worktree: WorktreeName;
  /** Which making of that worktree. */
  making: number;
  worker: number | undefined;
  state: "open" | "sealed" | "recovered";
  outcome?: "closed" | "interrupted";
  continues: ModelEpisode | undefined;
  /** Its session may be seen again only through a successor. */
  setAside: boolean;
  /** An end came that found no worktree to seal in. */
  ended: boolean;
  lastSeen: number;
  startedAt: number;
  endedAt?: number;
  /** The id that the program gave it. */
  id?: string;
}

const SIGNS_OF_LIFE: ReadonlySet<EventFacts["kind"]> = new Set(["prompt", "stop", "compact"]);
const STRANDED_AFTER_MILLISECONDS = 12 * 3_600_000;

/** A small account of episodes by the rules alone: who is open, where, and what became of whom. */
export class Model {
  readonly episodes: ModelEpisode[] = [];
  /** How often a worktree was made; absent: not there now. */
  readonly makings = new Map<WorktreeName, number>([["main", 1]]);
  readonly everMade = new Map<WorktreeName, number>([["main", 1]]);
  readonly dead = new Set<number>();

  exists(worktree: WorktreeName): boolean {
    return this.makings.has(worktree);
  }

  standsStill({ worktree, making }: ModelEpisode): boolean {
    return this.makings.get(worktree) === making;
  }

  registered(session: string): ModelEpisode | undefined {
    return this.episodes.find(
      (episode) => episode.session === session && episode.state === "open" && !episode.setAside,
    );
  }

  open(): ModelEpisode[] {
    return this.episodes.filter(({ state }) => state === "open");
  }

  send(event: EventFacts, now: number): void {
    if (event.subagent === true) return;
    const known = this.registered(event.session);
    if (event.kind === "start") this.start(event, known, now);
    else if (event.kind === "end") this.end(event, known, now);
    else if (!SIGNS_OF_LIFE.has(event.kind)) return;
    else if (known !== undefined) known.lastSeen = now;
    else if (event.kind === "prompt" || !this.wasSeen(event.session)) this.begin(event, now);
  }

  private wasSeen(session: string): boolean {
    return this.episodes.some((episode) => episode.session === session && episode.state !== "open");
  }

  private start(event: EventFacts, known: ModelEpisode | undefined, now: number): void {
    const worker = this.living(event.worker);
    if (known === undefined) {
      this.begin(event, now);
    } else if (!this.standsStill(known)) {
      known.setAside = true;
      this.begin(event, now);
    } else if (known.worktree === event.worktree) {
      known.lastSeen = now;
      known.ended = false;
      if (worker !== undefined) known.worker = worker;
    } else if (worker !== undefined && worker === known.worker) {
      // The same process walked into another worktree: its episode stays where it opened.
    } else if (known.worker !== undefined && this.dead.has(known.worker)) {
      known.setAside = true;
      this.begin(event, now);
    }
    // Else it is refused: somebody else may still be at work there.
  }

  /** A process that is gone cannot be identified, and is none. */
  private living(worker: number | undefined): number | undefined {
    return worker === undefined || this.dead.has(worker) ? undefined : worker;
  }

  private begin(event: EventFacts, now: number): void {
    const before = this.predecessor(event, now);
    this.episodes.push({
      session: event.session,
      worktree: event.worktree,
      making: this.makings.get(event.worktree) ?? 0,
      worker: this.living(event.worker),
      state: "open",
      continues: before,
      setAside: false,
      ended: false,
      lastSeen: now,
      startedAt: now,
    });
  }

  /** The same session's last episode; else one that the very process ended within ten seconds. */
  private predecessor({ session, worker }: EventFacts, now: number): ModelEpisode | undefined {
    const same = this.episodes.findLast((episode) => episode.session === session);
    const process = this.living(worker);
    if (same !== undefined || process === undefined) return same;
    const near = (at: number | undefined): boolean => at !== undefined && now - at <= 10_000;
    return this.episodes
      .filter((episode) => episode.state === "sealed" && episode.worker === process && near(episode.endedAt))
      .toSorted((a, b) => a.startedAt - b.startedAt)
      .at(-1);
  }

  private end(event: EventFacts, known: ModelEpisode | undefined, now: number): void {
    if (known === undefined) return;
    if (!this.standsStill(known)) {
      known.ended = true;
      return;
    }
    known.state = "sealed";
    known.endedAt = now;
    known.outcome = event.closes === true ? "closed" : "interrupted";
  }

  recover(from: WorktreeName, now: number): void {
    for (const episode of this.open()) {
      const gone = !this.standsStill(episode);
      const dead = episode.worker !== undefined && this.dead.has(episode.worker);
      const here = episode.worktree === from && !gone;
      const silent =
        here && episode.worker === undefined && now - episode.lastSeen >= STRANDED_AFTER_MILLISECONDS;
      if (!gone && !dead && !silent) continue;
      episode.state = "recovered";
      episode.outcome = "interrupted";
    }
  }

  addWorktree(worktree: WorktreeName): void {
    const making = (this.everMade.get(worktree) ?? 0) + 1;
    this.everMade.set(worktree, making);
    this.makings.set(worktree, making);
  }

  removeWorktree(worktree: WorktreeName): void {
    this.makings.delete(worktree);
  }
}
