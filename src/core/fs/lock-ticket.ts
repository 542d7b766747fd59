import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../base/error.ts";
import { randomHex } from "../base/random.ts";
import { touch } from "./fault.ts";
import { ownProcess } from "./process.ts";
import { dropTemporary, writeTemporary } from "./temporary.ts";

/** Our claim to a lock: a finished file in the lock's directory, ready to be linked to the lock's name. */
export interface Ticket {
  /** Never used by another thread or process; one lock at a time carries it. */
  token: string;
  /** What the lock file then holds, byte for byte. */
  content: Buffer;
  temporary: string;
  /** Whether the file outlives the taking, to be linked again. */
  kept: boolean;
}

let drawn: string | undefined;

/** Drawn at the first lock: a process that takes none does without the cost of randomness. */
function thread(): string {
  drawn ??= randomHex(8);
  return drawn;
}
let written = 0;
let identity: string | undefined;

export function isTokenOfThisThread(token: string): boolean {
  return token.startsWith(thread());
}

function writeTicket(directory: string, time: string | undefined): Ticket {
  written += 1;
  const token = thread() + written.toString(16).padStart(4, "0");
  identity ??= JSON.stringify(ownProcess()).slice(1);
  const stamped = time === undefined ? "" : `"time":"${time}",`;
  const content = Buffer.from(`{"token":"${token}",${stamped}${identity}\n`);
  try {
    return { token, content, temporary: writeTemporary(directory, content), kept: false };
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  makeLockDirectory(directory);
  return { token, content, temporary: writeTemporary(directory, content), kept: false };
}

/** One level only: a store whose worktree was removed must not rise again for the sake of a lock. */
function makeLockDirectory(directory: string): void {
  try {
    touch("mkdir", directory);
    mkdirSync(directory);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

// Making and destroying a file costs five times what linking one costs. A burst of takings in one
// directory therefore keeps its ticket, but only until the event loop turns or the process ends.

interface Burst {
  takings: number;
  spare: Ticket | undefined;
}

const DROPPED_FIRST = 3;
const bursts = new Map<string, Burst>();
let tidiesAtExit = false;

function endBursts(): void {
  for (const { spare } of bursts.values()) if (spare) dropTemporary(spare.temporary);
  bursts.clear();
}

function burstIn(directory: string): Burst {
  const known = bursts.get(directory);
  if (known) return known;
  if (!tidiesAtExit) process.once("exit", endBursts);
  tidiesAtExit = true;
  if (bursts.size === 0) setImmediate(endBursts).unref();
  const burst = { takings: 0, spare: undefined };
  bursts.set(directory, burst);
  return burst;
}

/** A ticket for a lock, whose directory is made when it alone is missing; one that tells its time is used once. */
export function takeTicket(lock: string, time?: string): Ticket {
  const directory = dirname(lock);
  if (time !== undefined) return writeTicket(directory, time);
  const burst = burstIn(directory);
  burst.takings += 1;
  const { spare } = burst;
  burst.spare = undefined;
  const ticket = spare ?? writeTicket(directory, undefined);
  ticket.kept = burst.takings > DROPPED_FIRST;
  return ticket;
}

/** Once the lock's name stands, the ticket's own is rubbish, unless the ticket is kept for the next taking. */
export function stampTicket(ticket: Ticket): void {
  if (!ticket.kept) dropTemporary(ticket.temporary);
}

/** Gives a ticket back whose lock was released. */
export function returnTicket(lock: string, ticket: Ticket): void {
  if (!ticket.kept) return;
  const burst = burstIn(dirname(lock));
  if (burst.spare) dropTemporary(ticket.temporary);
  else burst.spare = ticket;
}
