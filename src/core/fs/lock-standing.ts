import { uptime } from "node:os";
import { join } from "node:path";
import { readLock } from "./lock-file.ts";
import type { LockHolder } from "./lock-file.ts";
import { isOfAnotherBoot, judgeProcess } from "./process.ts";
import { listDirectory } from "./read.ts";

/** Whether whoever wants a lock may have it. */
export type LockStanding =
  | { state: "absent" }
  /** Its holder is at work, or is stopped. */
  | { state: "held"; holder: LockHolder }
  /** Nobody's: it may be taken over. `token` names this taking; `holder` is absent where no name can be read. */
  | { state: "free"; token: string; holder?: LockHolder }
  /** Nothing here proves that its holder is gone, so it is kept for it (decisions.md 3). */
  | { state: "unknown"; holder?: LockHolder };

export interface LockRule {
  /** The moment that files written now would have, in milliseconds since the epoch. */
  now: () => number;
  /**
   * The age in milliseconds from which a holder that is not proved to live loses its lock: for locks that programs
   * share which leave no proof. Undefined: never.
   */
  brokenAfter?: number;
}

/** A lock that is cut short is nobody's from this age on, in milliseconds: until then a program of another form may be at it. */
const TORN_AFTER = 15_000;

/** Judges a lock by its file; nothing is changed. */
export function judgeLock(path: string, { now, brokenAfter }: LockRule): LockStanding {
  const file = readLock(path);
  if (file === undefined) return { state: "absent" };
  const { holder, torn, mark, modified } = file;
  if (holder !== undefined) {
    const verdict = judgeProcess(holder);
    if (verdict === "alive") return { state: "held", holder };
    // What is younger than this start of the machine may be of another one that works here too, over a network.
    const isLeft = verdict === "gone" || (isOfAnotherBoot(holder) && now() - modified > uptime() * 1000);
    if (isLeft) return { state: "free", token: holder.token, holder };
  }
  const limit = brokenAfter ?? (torn ? TORN_AFTER : Infinity);
  // A clock that was set back leaves files of a time to come.
  const free = mark !== undefined && Math.abs(now() - modified) >= limit;
  return free ? { state: "free", token: mark, ...named(holder) } : { state: "unknown", ...named(holder) };
}

function named(holder: LockHolder | undefined): { holder?: LockHolder } {
  return holder === undefined ? {} : { holder };
}

/** The locks of a directory, absolute and each with its standing; what a write has not finished is none. */
export function listLocks(directory: string, now: number): { path: string; standing: LockStanding }[] {
  return listDirectory(directory)
    .filter((name) => !name.startsWith(".tmp."))
    .map((name) => join(directory, name))
    .map((path) => ({ path, standing: judgeLock(path, { now: () => now }) }));
}

/** Why a lock blocks whoever wants it until a person removes it; undefined for one that will be free by itself. */
export function stuckReason(standing: LockStanding): string | undefined {
  if (standing.state !== "unknown") return undefined;
  return standing.holder === undefined
    ? "what stands there is no lock of ours"
    : `is held by pid ${standing.holder.pid} of another machine or container, which cannot be seen from here`;
}
