import { closeSync, constants, openSync, readSync } from "node:fs";
import { errnoOf } from "../base/error.ts";
import { touch } from "./fault.ts";
import type { Ticket } from "./lock-ticket.ts";
import type { ProcessIdentity } from "./process.ts";

/** What a lock file says: who holds it, and in which taking. */
export interface LockHolder extends ProcessIdentity {
  /** Known to one thread only, and on one lock at a time. */
  token: string;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Larger than any lock of ours; a thread reads one lock at a time. */
const room = Buffer.alloc(2048);

/** The bytes of a lock file, in a buffer that the next call overwrites; undefined when it is absent. */
function readBytes(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    touch("open", path);
    descriptor = openSync(path, READ);
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? undefined : room.subarray(0, 0);
  }
  try {
    return room.subarray(0, readSync(descriptor, room, 0, room.length, 0));
  } catch {
    return room.subarray(0, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the lock's file is, byte for byte, the one of this ticket. */
export function carriesTicket(path: string, ticket: Ticket): boolean {
  return readBytes(path)?.equals(ticket.content) ?? false;
}

/** Reads who holds a lock: `absent`, or `unreadable` for anything that no writer of ours has written. */
export function readHolder(path: string): LockHolder | "absent" | "unreadable" {
  const bytes = readBytes(path);
  return bytes ? (parseHolder(bytes.toString("utf8")) ?? "unreadable") : "absent";
}

/** The token becomes part of a file name, so its form is strict. */
const TOKEN = /^[0-9a-f]{8,40}$/;

function parseHolder(text: string): LockHolder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { token, pid, started, boot, namespace } = value as Record<string, unknown>;
  if (typeof token !== "string" || !TOKEN.test(token) || typeof pid !== "number") return undefined;
  if (!isNameOrNull(started) || !isNameOrNull(boot) || !isNameOrNull(namespace)) return undefined;
  return { token, pid, started, boot, namespace };
}

function isNameOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.length <= 200);
}
