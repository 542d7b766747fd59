import type { Checkout } from "../checkout/checkout.ts";
import { isForeign, ownEpisode } from "../episode/own.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import type { Author } from "../task/author.ts";
import { currentTask } from "../task/current-task.ts";
import { gatherWork, linesOutsideTasks, taskLines } from "../task/work-facts.ts";
import type { WorkFacts } from "../task/work-facts.ts";
import type { Instant } from "./instant.ts";
import { episodeStart, workLines } from "./work-lines.ts";

/** The open episode of this process here, if it has one that is not another worktree's. */
export function episodeHere(checkout: Checkout): RosterEntry | undefined {
  const own = ownEpisode(checkout, readRoster(checkout));
  return own === undefined || isForeign(own) ? undefined : own;
}

/** The id of the episode here of a process that says whose it is; undefined where it says nothing. */
export function namedEpisode(checkout: Checkout): string | undefined {
  return checkout.providerSession === undefined ? undefined : episodeHere(checkout)?.sessionId;
}

/** On whose behalf a command writes: stamped with the episode of its process (records.md 3.3). */
export function authorHere(checkout: Checkout): Author {
  const session = episodeHere(checkout)?.sessionId;
  return session === undefined ? {} : { session };
}

/**
 * The facts that a record is derived from when a person asks for it: the open episode's, else the task's, else what
 * was recorded outside any task.
 *
 * @param noTask the record is to be of no task, also where one stands.
 * @throws MajordomusError 10 where the task record cannot be read and the record might be of that task.
 */
export function workFactsHere(checkout: Checkout, { moment }: Instant, noTask = false): WorkFacts {
  const task = noTask ? undefined : currentTask(checkout);
  const own = episodeHere(checkout);
  if (own !== undefined) {
    const lines = workLines(checkout, own.sessionId);
    return gatherWork(checkout, moment, episodeStart(own), lines, { task });
  }
  const lines = task === undefined ? linesOutsideTasks(checkout) : taskLines(checkout, task.id);
  return gatherWork(checkout, moment, undefined, lines, { task });
}
