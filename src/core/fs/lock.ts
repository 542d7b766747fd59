import { randomInt } from "node:crypto";
import { elapsedMilliseconds } from "../base/elapsed.ts";
import { errnoOf } from "../base/error.ts";
import { claimLock, releaseLock, type LockObstacle } from "./lock-claim.ts";
import { carriesTicket } from "./lock-file.ts";
import { returnTicket, stampTicket, takeTicket, type Ticket } from "./lock-ticket.ts";
import { pause } from "./pause.ts";
import type { ProcessIdentity } from "./process.ts";
import { dropTemporary } from "./temporary.ts";

export interface LockOptions {
  /** How long to wait for another holder; 0 tries once. */
  waitMilliseconds: number;
  /** From which age in milliseconds a holder that is not proved to live loses its lock. @default never */
  brokenAfter?: number;
  /** Written into the lock as its time, for other programs that look at it. */
  time?: string;
}

/** Somebody else, alive or unknown, held the lock for as long as we were willing to wait. */
export class LockTimeout extends Error {
  readonly path: string;
  /** Undefined when the lock file cannot be read as one of ours. */
  readonly holder: ProcessIdentity | undefined;
  /** Nothing proves that anybody is at work under the lock: waiting longer may never help. */
  readonly unknown: boolean;

  constructor(
    path: string,
    obstacle: LockObstacle | undefined,
    { waitMilliseconds, brokenAfter }: LockOptions,
  ) {
    const holder = obstacle?.holder;
    const unknown = obstacle?.state === "unknown" && brokenAfter === undefined;
    const named = holder ? `process ${holder.pid}` : "a holder that cannot be identified";
    const who = unknown && holder ? `${named}, of which nothing can be told from here,` : named;
    super(`${path}: still held by ${who} after ${waitMilliseconds} ms`);
    this.name = "LockTimeout";
    this.path = path;
    this.holder = holder;
    this.unknown = unknown;
  }
}

/** Known by name: a hook is built from several bundles, and each has a class of its own. */
export function isLockTimeout(error: unknown): error is LockTimeout {
  return error instanceof Error && error.name === "LockTimeout";
}

/** The lock that we held is no longer ours: nothing more may be written under it. */
export class LockLost extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path}: the lock was lost while it was held`);
    this.name = "LockLost";
    this.path = path;
  }
}

/** A lock in our hands. */
export interface HeldLock {
  readonly path: string;
  /** Reads the lock again; throws LockLost unless it still carries our token. */
  assertHeld(): void;
}

/** Bounds of one sleep between two looks, in milliseconds. */
const SHORTEST = 2;
const LONGEST = 20;

function acquire(path: string, options: LockOptions): Ticket {
  const { waitMilliseconds, brokenAfter, time } = options;
  // A monotonic count of elapsed time; the clock of the day decides nothing here.
  const deadline = elapsedMilliseconds() + waitMilliseconds;
  let ticket = takeTicket(path, time);
  for (let swept = false; ;) {
    try {
      const claim = claimLock(path, ticket, brokenAfter);
      if (claim.held) {
        stampTicket(ticket);
        return ticket;
      }
      const left = deadline - elapsedMilliseconds();
      if (left <= 0) throw new LockTimeout(path, claim.obstacle, options);
      pause(Math.min(left, randomInt(SHORTEST, LONGEST + 1)));
    } catch (error) {
      dropTemporary(ticket.temporary);
      // Our ticket, or its whole directory, was swept away while it waited for its next use.
      if (errnoOf(error) !== "ENOENT" || swept) throw error;
      swept = true;
      ticket = takeTicket(path, time);
    }
  }
}

/**
 * Runs `action` while holding the lock file `path`, whose directory is made when it alone is missing.
 *
 * The holder is proved by a token, a pid and its start time: one that lives, is stopped or cannot be judged
 * keeps its lock, a dead one's is taken over, and what a power cut left of one as well. When `action` ends,
 * the lock is removed if it is still ours. `action` must be synchronous, and must not ask for the same lock again.
 *
 * @throws LockTimeout after `waitMilliseconds`; MajordomusError 13 on re-entrance; whatever `action` throws.
 */
export function withLock<Value>(
  path: string,
  options: LockOptions,
  action: (lock: HeldLock) => Value,
): Value {
  const ticket = acquire(path, options);
  let released = false;
  const lock: HeldLock = {
    path,
    assertHeld() {
      if (released || !carriesTicket(path, ticket)) throw new LockLost(path);
    },
  };
  try {
    return action(lock);
  } finally {
    released = true;
    if (releaseLock(path, ticket)) returnTicket(path, ticket);
    else if (ticket.kept) dropTemporary(ticket.temporary);
  }
}
