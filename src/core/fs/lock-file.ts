import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { errnoOf } from "../base/error.ts";
import { touch } from "./fault.ts";
import type { Ticket } from "./lock-ticket.ts";
import type { ProcessIdentity } from "./process.ts";

/** What a lock file says: who holds it, and in which taking. */
export interface LockHolder extends ProcessIdentity {
  /** Known to one thread only, and on one lock at a time. */
  token: string;
}

/** What stands in a lock's place. */
export interface LockFile {
  /** Undefined where no holder is named as we write one. */
  holder: LockHolder | undefined;
  /** Cut short, as a power cut leaves it: a lock is linked whole, so no writer that is at work made it so. */
  torn: boolean;
  /** Hexadecimal digits of this very file; undefined for what is no regular file, or may not be read. */
  mark: string | undefined;
  /** When it was last written, in milliseconds since the epoch. */
  modified: number;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Larger than any lock of ours; a thread reads one lock at a time. */
const room = Buffer.alloc(2048);

/** The bytes of a lock file, in a buffer that the next call overwrites; `look` sees what they were read from. */
function readBytes(path: string, look?: (descriptor: number) => void): Buffer | undefined {
  let descriptor: number;
  try {
    touch("open", path);
    descriptor = openSync(path, READ);
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? undefined : room.subarray(0, 0);
  }
  try {
    look?.(descriptor);
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

/** Reads what stands in a lock's place; undefined where nothing does. */
export function readLock(path: string): LockFile | undefined {
  let file: BigIntStats | undefined;
  const bytes = readBytes(path, (descriptor) => {
    file = fstatSync(descriptor, { bigint: true });
  });
  if (bytes === undefined) return undefined;
  const value = parse(bytes.toString("utf8"));
  const holder = holderIn(value);
  if (file?.isFile() !== true) return { holder: undefined, torn: false, mark: undefined, modified: 0 };
  return {
    holder,
    torn: value === undefined && file.size < room.length,
    mark: file.ino.toString(16) + file.mtimeNs.toString(16),
    modified: Number(file.mtimeMs),
  };
}

/** The token becomes part of a file name, so its form is strict. */
const TOKEN = /^[0-9a-f]{8,40}$/;

/** @returns undefined for a text that is no JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function holderIn(value: unknown): LockHolder | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { token, pid, started, boot, namespace } = value as Record<string, unknown>;
  if (typeof token !== "string" || !TOKEN.test(token) || typeof pid !== "number") return undefined;
  if (!isNameOrNull(started) || !isNameOrNull(boot) || !isNameOrNull(namespace)) return undefined;
  return { token, pid, started, boot, namespace };
}

function isNameOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.length <= 200);
}
