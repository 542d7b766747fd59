import {
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** What one entry was, and by which a later look knows that nothing has touched it since. */
interface Entry {
  kind: "directory" | "link" | "file";
  mode: number;
  modified: number;
  content: Buffer;
  target: string;
  /** Any change of an entry, of its names too, renews the time of its change, which nobody can set. */
  mark: string;
}

/** A directory as it was at one moment. */
export interface Photograph {
  /** Brings it back: what was changed since is written anew, what came is removed. */
  restore(): void;
  forget(): void;
}

function markOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.ctimeNs} ${stats.mtimeNs} ${stats.mode}`;
}

function look(path: string): Entry {
  const stats = lstatSync(path);
  const kind = stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : "file";
  return {
    kind,
    mode: stats.mode & 0o7777,
    modified: stats.mtimeMs / 1000,
    content: kind === "file" ? readFileSync(path) : Buffer.alloc(0),
    target: kind === "link" ? readlinkSync(path) : "",
    mark: markOf(path) ?? "",
  };
}

function put(path: string, entry: Entry): void {
  rmSync(path, { recursive: true, force: true });
  if (entry.kind === "directory") mkdirSync(path, { mode: entry.mode });
  else if (entry.kind === "link") symlinkSync(entry.target, path);
  else writeFileSync(path, entry.content, { mode: entry.mode });
}

/** Remembers everything in a directory. A copy of the whole for each of many attempts would cost more than they do. */
export function photograph(root: string): Photograph {
  const entries = new Map<string, Entry>();
  const remember = (path: string): void => {
    const entry = look(path);
    entries.set(path, entry);
    if (entry.kind === "directory") for (const name of readdirSync(path)) remember(join(path, name));
  };
  remember(root);

  const restoreAt = (path: string, names: readonly string[]): void => {
    for (const name of names) {
      if (!entries.has(join(path, name))) rmSync(join(path, name), { recursive: true, force: true });
    }
  };
  const restore = (): void => {
    // Parents stand before their children, as they were met.
    for (const [path, entry] of entries) {
      const stands = lstatSync(path, { throwIfNoEntry: false });
      if (entry.kind === "directory" && stands?.isDirectory() === true) restoreAt(path, readdirSync(path));
      else if (markOf(path) !== entry.mark) put(path, entry);
    }
    // Children have changed their parents' times.
    for (const [path, entry] of [...entries].toReversed()) {
      if (markOf(path) === entry.mark) continue;
      lutimesSync(path, entry.modified, entry.modified);
      entry.mark = markOf(path) ?? "";
    }
  };
  return { restore, forget: () => entries.clear() };
}
