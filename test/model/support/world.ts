import { rmSync } from "node:fs";
import { join } from "node:path";
import { sharedPatience, steadyPatience } from "../../../src/core/base/patience.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import type { LifecycleEvent } from "../../../src/core/boundary/event.ts";
import { takeEvent } from "../../../src/core/boundary/take-event.ts";
import { recoverApply } from "../../../src/core/capabilities/recover.ts";
import { openCheckout } from "../../../src/core/checkout/open.ts";
import type { Surroundings } from "../../../src/core/checkout/checkout.ts";
import { readRoster } from "../../../src/core/journal/roster.ts";
import { takeBalance } from "../../../src/core/ledger/balance.ts";
import type { Balance } from "../../../src/core/labels/terms.ts";
import { startStandIn } from "../../scenario/support/episodes.ts";
import type { StandIn } from "../../scenario/support/episodes.ts";
import { git, makePlace } from "../../scenario/support/place.ts";
import type { Place } from "../../scenario/support/place.ts";

/** Worktrees by name; `main` is always there. */
export const WORKTREES = ["main", "lane-1", "lane-2"] as const;
export type WorktreeName = (typeof WORKTREES)[number];

export interface EventFacts {
  kind: LifecycleEvent["kind"];
  session: string;
  worktree: WorktreeName;
  /** Index of the stand-in that the event names as its provider's process. */
  worker?: number;
  source?: LifecycleEvent["source"];
  closes?: boolean;
  subagent?: boolean;
}

/** The system: a real repository with real worktrees, real processes, and a clock that the test moves. */
export class World {
  readonly place: Place;
  readonly workers: StandIn[];
  now = Date.UTC(2026, 8, 4, 10, 0, 0);

  private constructor(place: Place, workers: StandIn[]) {
    this.place = place;
    this.workers = workers;
  }

  static async make(workers: number): Promise<World> {
    return new World(
      await makePlace(),
      Array.from({ length: workers }, () => startStandIn()),
    );
  }

  pathOf(name: WorktreeName): string {
    return name === "main" ? this.place.root : join(this.place.directory, name);
  }

  private surroundings(isHook: boolean): Surroundings {
    return {
      environment: this.place.environment,
      clock: { now: () => this.now },
      random: systemRandom,
      patience: isHook ? sharedPatience(5000) : steadyPatience(5000),
    };
  }

  async send(facts: EventFacts): Promise<void> {
    const { kind, session, worktree, worker, source, closes, subagent } = facts;
    const event: LifecycleEvent = {
      provider: "claude-code",
      kind,
      name: `model ${kind}`,
      session,
      subagent: subagent ?? false,
      provesCompaction: source === "compact",
      cwd: this.pathOf(worktree),
      ...(source === undefined ? {} : { source }),
      ...(kind === "end" ? { closes: closes ?? false, reason: closes === true ? "logout" : "other" } : {}),
      ...(worker === undefined ? {} : { processId: this.workers[worker]?.pid ?? 0 }),
    };
    await takeEvent(event, this.surroundings(true), () => performance.now());
  }

  async recover(worktree: WorktreeName): Promise<void> {
    const checkout = await openCheckout(this.pathOf(worktree), this.surroundings(false));
    const context = { checkout, signal: { aborted: false }, progress: () => undefined };
    const answer = await recoverApply.run(context, { subject: "all" });
    if (answer.failed.length > 0) throw new Error(`recovery failed: ${JSON.stringify(answer.failed)}`);
  }

  async balance(worktree: WorktreeName): Promise<Balance> {
    const checkout = await openCheckout(this.pathOf(worktree), this.surroundings(false));
    return takeBalance(checkout, readRoster(checkout));
  }

  addWorktree(name: WorktreeName): void {
    const path = this.pathOf(name);
    const known = git(this.place.root, "branch", "--list", name) !== "";
    git(this.place.root, "worktree", "add", "-q", ...(known ? [path, name] : ["-b", name, path]));
  }

  removeWorktree(name: WorktreeName): void {
    git(this.place.root, "worktree", "remove", "--force", this.pathOf(name));
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    rmSync(this.place.directory, { recursive: true, force: true });
  }
}
