import { renameSync } from "node:fs";
import { EXIT, MajordomusError } from "../base/error.ts";
import { touch } from "./fault.ts";
import { carriesTicket, readHolder, type LockHolder } from "./lock-file.ts";
import { isTokenOfThisThread, type Ticket } from "./lock-ticket.ts";
import { retryTransient } from "./pause.ts";
import { judgeProcess } from "./process.ts";
import { linkNew } from "./temporary.ts";
import { removeFile } from "./write.ts";

/** The lock is ours, or who stands in the way (undefined: someone who left no readable name). */
export type Claim = { held: true } | { held: false; holder: LockHolder | undefined };

/** Tokens of the locks that this thread holds now. */
const held = new Set<string>();

const TAKE_SUFFIX = /\.take\.[0-9a-f]+$/;

/** A lock that changes hands this often while we look is simply busy. */
const LOOKS = 8;

/**
 * Tries once to get a lock. A live or unknown holder keeps it. A dead one's is taken over by whoever
 * first creates `<lock>.take.<dead token>`; only the holder of that file may rename it over the lock, and
 * only after it has read again that the lock still carries the dead token, so a fresh lock is never
 * removed. A taker that dies leaves a take file, which is itself taken over in the same way.
 *
 * @throws MajordomusError 13 when this thread holds the lock already: it would wait for itself.
 */
export function claimLock(path: string, ticket: Ticket): Claim {
  const claim = contend(path, ticket);
  if (claim.held) held.add(ticket.token);
  return claim;
}

function contend(path: string, ticket: Ticket): Claim {
  for (let look = 0; look < LOOKS; look += 1) {
    if (linkNew(ticket.temporary, path)) return { held: true };
    const holder = readHolder(path);
    if (holder === "absent") continue;
    if (holder === "unreadable") return { held: false, holder: undefined };
    if (held.has(holder.token)) throw reentered(path);
    if (isTokenOfThisThread(holder.token)) {
      // Left by a release whose removal failed.
      removeFile(path);
    } else if (judgeProcess(holder) !== "gone") {
      return { held: false, holder };
    } else {
      const taking = takeOver(path, holder, ticket);
      if (taking) return taking;
    }
  }
  return { held: false, holder: undefined };
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
function takeOver(path: string, dead: LockHolder, ticket: Ticket): Claim | undefined {
  // One suffix, however many takers died before: a token stands in one file at a time, so it names one taking.
  const take = `${path.replace(TAKE_SUFFIX, "")}.take.${dead.token}`;
  const taking = contend(take, ticket);
  if (!taking.held) return taking;
  let taken = false;
  try {
    const now = readHolder(path);
    if (typeof now !== "object" || now.token !== dead.token) return undefined;
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
