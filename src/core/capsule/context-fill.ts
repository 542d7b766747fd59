import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { listDirectory, readText, stampOf } from "../fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";

/** How full a session's context is, as its status line told. */
export interface ContextFill {
  session: string;
  /** Per cent. */
  used: number;
}

const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Names of the files that we wrote: nothing else there is ours to delete. */
const OURS = "majordomus.state";
const IDLE = 7 * 86_400_000;
const MOST_NAMES = 5000;
const STATE_BYTES = 1024 * 1024;

function readOurs(path: string): string[] {
  const text = readText(path, { maximumBytes: STATE_BYTES });
  return text.ok ? text.value.split("\n").filter((name) => TOKEN.test(name)) : [];
}

/** Takes away what we wrote for sessions that told nothing for a week. */
function sweep(directory: string, names: readonly string[], now: number): string[] {
  const present = new Set(listDirectory(directory));
  return names.filter((name) => {
    if (!present.has(`${name}.json`)) return false;
    const path = join(directory, `${name}.json`);
    if (now - (stampOf(path)?.modified ?? now) <= IDLE) return true;
    removeFile(path);
    return false;
  });
}

/**
 * Notes how full a session's context is, in `ctx-refresh` below Claude's own directory, where other programs may look
 * for it. Only a session's plain id and a plain number are noted.
 *
 * @returns false for anything else.
 * @throws the errno error.
 */
export function noteContextFill(configDirectory: string, fill: ContextFill, clock: Clock): boolean {
  const { session, used } = fill;
  if (!TOKEN.test(session) || !Number.isFinite(used)) return false;
  const directory = join(configDirectory, "ctx-refresh");
  const now = clock.now();
  makeDirectory(directory, 0o700);
  const text = JSON.stringify({ used_percentage: used, ts: new Date(now).toISOString() });
  writeAtomic(join(directory, `${session}.json`), `${text}\n`, { mode: 0o600 });
  const index = join(directory, OURS);
  const ours = readOurs(index);
  if (ours.includes(session)) return true;
  const kept = [...sweep(directory, ours, now), session].slice(-MOST_NAMES);
  writeAtomic(index, `${kept.join("\n")}\n`, { mode: 0o600 });
  return true;
}
