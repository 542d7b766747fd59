import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
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

export async function episodesOf(place: Place, at: At = {}): Promise<EpisodeAnswer[]> {
  const answer = await answerOf<{ episodes?: EpisodeAnswer[] }>(place, ["lifecycle", "episodes"], at);
  return answer.episodes ?? [];
}

export async function balanceOf(place: Place, at: At = {}): Promise<BalanceAnswer> {
  return (await answerOf<{ balance: BalanceAnswer }>(place, ["lifecycle", "recovery"], at)).balance;
}

export function planOf(place: Place, at: At = {}): Promise<PlanAnswer> {
  return answerOf<PlanAnswer>(place, ["recover", "all", "--check"], { ...at, statuses: [0, 10] });
}

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
