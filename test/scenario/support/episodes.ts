import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import { drainWaiting } from "../../../src/core/boundary/drain.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { openCheckout } from "../../../src/core/checkout/open.ts";
import { answerOf } from "./place.ts";
import type { Place } from "./place.ts";

/** What the program itself answers about episodes, as `--json` gives it. */
export interface EpisodeAnswer {
  session_id: string;
  provider_session?: string;
  worktree?: string;
  branch?: string;
  standing: string;
  here: boolean;
  worker_state: string;
  recoverable?: string;
  events: number;
  continues?: string;
  unseen?: string[];
  note: string;
}

export interface BalanceAnswer {
  started: number;
  closed: number;
  recovered: number;
  open: number;
  unaccounted: number;
  agrees: boolean;
}

export interface PlanAnswer {
  actions: {
    id: string;
    kind: string;
    session_id?: string;
    reason: string;
    evidence: string[];
    kept?: string[];
    lost?: string[];
  }[];
  skipped: { subject: string; reason: string }[];
  balance: BalanceAnswer;
}

export interface ApplyAnswer {
  state: "applied" | "changed" | "nothing";
  performed: { id: string; wrote?: string; message: string }[];
  failed: { id: string; reason: string }[];
}

interface At {
  /** The work tree that asks; the place's own when absent. */
  directory?: string;
}

const PATIENCE_MILLISECONDS = 10_000;

/**
 * Asks the program as a command does, in this process: a story asks often, and what it tells of happened in
 * processes of the built program.
 */
async function ask<Answer>(place: Place, at: At, id: string, input: unknown): Promise<Answer> {
  const checkout = await openCheckout(at.directory ?? place.root, {
    environment: place.environment,
    clock: systemClock,
    random: systemRandom,
    patience: steadyPatience(PATIENCE_MILLISECONDS),
  });
  drainWaiting(checkout);
  return (await runCapability(checkout, id, input)) as Answer;
}

export async function episodesOf(place: Place, at: At = {}): Promise<EpisodeAnswer[]> {
  const answer = await ask<{ episodes?: EpisodeAnswer[] }>(place, at, "lifecycle.episodes", {});
  return answer.episodes ?? [];
}

export async function balanceOf(place: Place, at: At = {}): Promise<BalanceAnswer> {
  return (await ask<{ balance: BalanceAnswer }>(place, at, "lifecycle.recovery", {})).balance;
}

export function planOf(place: Place, at: At = {}): Promise<PlanAnswer> {
  return ask<PlanAnswer>(place, at, "recover.plan", { subject: "all" });
}

/** Recovers by the built program's own command. */
export function recover(place: Place, at: At = {}): Promise<ApplyAnswer> {
  return answerOf<ApplyAnswer>(place, ["recover", "all"], at);
}

/** A process that stands in for a provider's own and lives until it is killed. */
export interface StandIn {
  pid: number;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export function startStandIn(): StandIn {
  const child: ChildProcess = spawn("sleep", ["600"], { stdio: "ignore" });
  const { pid } = child;
  if (pid === undefined) throw new Error("the stand-in did not start");
  const ended = once(child, "exit");
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => kill());
  return { pid, kill };
}
