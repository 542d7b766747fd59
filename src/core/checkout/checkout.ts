import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import type { Random } from "../base/random.ts";
import type { Repository } from "../git/repository.ts";
import type { Settings } from "../policy/settings.ts";
import type { CommonPaths } from "./common.ts";
import type { Layout } from "./layout.ts";

/** What the surface brings along: nothing below it asks the machine by itself. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  random: Random;
  patience: Patience;
  /** What all runs of git together may take, in milliseconds; each has its own limit where this is absent. */
  gitAllowance?: Patience;
  /** The program that a turn's end starts to save the session's state; nothing is started where there is none. */
  autosaveProgram?: string;
  /** The launcher that a start of a session starts the shared server from; none is started where there is none. */
  serverProgram?: string;
}

/** A working copy that was found and has a layer, before its settings are read: enough for a heartbeat. */
export interface Site extends Surroundings {
  repository: Repository;
  root: string;
  common: CommonPaths;
  /** 16 random hex of this worktree; undefined where no start ever happened. */
  worktreeIdentity: string | undefined;
}

/** Everything about one working copy, computed once and passed down as the first argument. */
export interface Checkout extends Site {
  settings: Settings;
  layout: Layout;
  worktreeIdentity: string;
  /** The branch, or `DETACHED`. */
  branch: string;
  /** The commit, or undefined before the first one. */
  head: string | undefined;
  /** records.md 1.3: the absolute git common directory. */
  localRepositoryId: string;
  /** records.md 1.3: 16 hex of SHA-256 over the worktree's path; what closed records carry. */
  worktreeId: string;
  owner: string;
  /** The provider session that this process says it belongs to, if it does. */
  providerSession: string | undefined;
  /** The open episode that this is asked for, by its id, where whoever asks has named one: that one or none. */
  episode?: string;
}

/** The commit as records write it: `NONE` before the first one (records.md 1.3). */
export function headText(checkout: { head: string | undefined }): string {
  return checkout.head ?? "NONE";
}
