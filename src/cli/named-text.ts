import { closeSync, constants, createReadStream, fstatSync, openSync } from "node:fs";
import type { Stats } from "node:fs";
import { Socket } from "node:net";
import { EXIT, MajordomusError, errnoOf, reasonOf } from "../core/base/error.ts";
import { readBody } from "./stdin.ts";
import type { BodySource } from "./stdin.ts";

/** How long a pipe may stay silent that somebody named as a file, in milliseconds. */
const PIPE_PATIENCE = 30_000;
/** A FIFO whose writer never comes holds nobody; a terminal does not become ours. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

function unreadable(path: string, message: string, absent = false): MajordomusError {
  return new MajordomusError({
    code: "note.unreadable",
    exit: absent ? EXIT.missing : EXIT.usage,
    subject: path,
    message,
  });
}

/** What a descriptor is read through: a pipe waits for its writer, a file has everything at once. */
function sourceOf(descriptor: number, stats: Stats): BodySource | undefined {
  if (stats.isFile()) return createReadStream("", { fd: descriptor });
  if (!stats.isFIFO() && !stats.isSocket()) return undefined;
  return new Socket({ fd: descriptor, readable: true, writable: false });
}

/**
 * The text of a file that a person named on the command line: UTF-8, at most 1 MiB. It is theirs to name, so a
 * symbolic link is followed, and a pipe, which is what a shell's `<(…)` is, is read to its end.
 *
 * @param patience how long such a pipe may stay silent, in milliseconds.
 * @throws MajordomusError 12 where there is none, 2 for what cannot be read, is too large, or is no text.
 */
export async function namedText(path: string, patience = PIPE_PATIENCE): Promise<string> {
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS);
  } catch (error) {
    const absent = ABSENT.has(errnoOf(error) ?? "");
    throw unreadable(path, absent ? "there is no such file" : reasonOf(error), absent);
  }
  const stats = fstatSync(descriptor);
  const source = sourceOf(descriptor, stats);
  if (source === undefined) {
    closeSync(descriptor);
    throw unreadable(path, `is a ${stats.isDirectory() ? "directory" : "device"}, not a file or a pipe`);
  }
  const text = await readBody(source, { patienceMilliseconds: patience, source: path });
  if (text === undefined) throw unreadable(path, "is a pipe that stays open and silent");
  return text;
}
