import { renameSync } from "node:fs";
import { EXIT, MajordomusError } from "../base/error.ts";
import { touch } from "./fault.ts";
import { carriesTicket } from "./lock-file.ts";
import { judgeLock, type LockRule, type LockStanding } from "./lock-standing.ts";
import { isTokenOfThisThread, type Ticket } from "./lock-ticket.ts";
import { retryTransient } from "./pause.ts";
import { stampOf } from "./read.ts";
import { linkNew } from "./temporary.ts";
import { removeFile } from "./write.ts";

/** Who stands in the way of a lock: somebody at work, or somebody of whom nothing can be proved. */
export type LockObstacle = Extract<LockStanding, { state: "held" | "unknown" }>;

/** The lock is ours, or what stands in the way; undefined: it changes hands all the time. */
export type Claim = { held: true } | { held: false; obstacle: LockObstacle | undefined };

/** Tokens of the locks that this thread holds now. */
const held = new Set<string>();

const TAKE_SUFFIX = /\.take\.[0-9a-f]+$/;

/** A lock that changes hands this often while we look is simply busy. */
const LOOKS = 8;

/**
 * Tries once to get a lock. A live or unknown holder keeps it. A dead one's is taken over by whoever
 * first creates `<lock>.take.<dead token>`; only the holder of that file may rename it over the lock, and
 * only after it has read again that the lock still carries the dead token, so a fresh lock is never
 * removed. A taker that dies leaves a take file, which is itself taken over in the same way. Of a lock that
 * is cut short, the file itself stands for the token.
 *
 * @throws MajordomusError 13 when this thread holds the lock already: it would wait for itself.
 */
export function claimLock(path: string, ticket: Ticket, brokenAfter?: number): Claim {
  // The time of our own file is the disk's: no clock of the day is asked.
  const now = (): number => stampOf(ticket.temporary)?.modified ?? Number.NaN;
  const claim = contend(path, ticket, brokenAfter === undefined ? { now } : { now, brokenAfter });
  if (claim.held) held.add(ticket.token);
  return claim;
}

function contend(path: string, ticket: Ticket, rule: LockRule): Claim {
  for (let look = 0; look < LOOKS; look += 1) {
    if (linkNew(ticket.temporary, path)) return { held: true };
    const standing = judgeLock(path, rule);
    if (standing.state === "absent") continue;
    const token = standing.holder?.token ?? "";
    if (held.has(token)) throw reentered(path);
    if (isTokenOfThisThread(token)) {
      // Left by a release whose removal failed.
      removeFile(path);
    } else if (standing.state !== "free") {
      return { held: false, obstacle: standing };
    } else {
      const taking = takeOver(path, standing.token, ticket, rule);
      if (taking) return taking;
    }
  }
  return { held: false, obstacle: undefined };
}

function reentered(path: string): MajordomusError {
  return new MajordomusError({
    code: "lock.reentered",
    exit: EXIT.internal,
    subject: path,
    message: "this process holds the lock already and asks for it again",
  });
}

/** Takes a dead holder's lock; undefined when it changed hands meanwhile and is to be looked at again. */
function takeOver(path: string, dead: string, ticket: Ticket, rule: LockRule): Claim | undefined {
  // One suffix, however many takers died before: a token stands in one file at a time, so it names one taking.
  const take = `${path.replace(TAKE_SUFFIX, "")}.take.${dead}`;
  const taking = contend(take, ticket, rule);
  if (!taking.held) return taking;
  let taken = false;
  try {
    const now = judgeLock(path, rule);
    if (now.state !== "free" || now.token !== dead) return undefined;
    retryTransient(() => {
      touch("rename", path);
      renameSync(take, path);
    });
    taken = true;
    return { held: true };
  } finally {
    if (!taken) removeFile(take);
  }
}

/**
 * Gives a lock back, if it is still ours.
 *
 * @returns false when its file could not be removed. It then goes at this thread's next claim of that lock,
 *   or is taken over when the process has ended.
 */
export function releaseLock(path: string, ticket: Ticket): boolean {
  held.delete(ticket.token);
  try {
    if (carriesTicket(path, ticket)) removeFile(path);
    return true;
  } catch {
    return false;
  }
}
