import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { errnoOf } from "../base/error.ts";
import { removeFile, replaceLink } from "../fs/write.ts";
import { openEpisodeName, readOpenEpisode } from "./open-episode.ts";

/** Where the pointer stands and what it may point into; a checkout's layout has both. */
export interface PointerPlace {
  /** `session-current.yaml`. */
  pointer: string;
  /** The directory of open episodes. */
  sessionsOpen: string;
}

export interface Pointer {
  /** `inline`: an episode's text stands at the pointer itself, as before there were keys, or where links are refused. */
  layout: "pointer" | "inline" | "absent";
  /** The link's target as written, relative. */
  target?: string;
  /** The key that it names, when it names a file of the store. */
  key?: string;
  sessionId?: string;
  /** True when an episode can be read through it. */
  resolves: boolean;
  note: string;
}

function kindAt(path: string): "link" | "file" | "other" | "absent" {
  try {
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) return "link";
    return facts.isFile() ? "file" : "other";
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return "absent";
    throw error;
  }
}

/** Reads the pointer to the current episode without following it anywhere but into the store of open episodes. */
export function readPointer(place: PointerPlace): Pointer {
  const kind = kindAt(place.pointer);
  if (kind === "absent") return { layout: "absent", resolves: false, note: "no pointer" };
  if (kind === "other") return { layout: "inline", resolves: false, note: "neither a link nor a file" };
  if (kind === "file") {
    const episode = readOpenEpisode(place.pointer);
    return episode.ok
      ? {
          layout: "inline",
          sessionId: episode.value.session_id,
          resolves: true,
          note: "the episode's own text stands at the pointer",
        }
      : {
          layout: "inline",
          resolves: false,
          note: `the file at the pointer is no episode: ${episode.error}`,
        };
  }
  const target = readlinkSync(place.pointer);
  const aimed = resolve(dirname(place.pointer), target);
  if (dirname(aimed) !== resolve(place.sessionsOpen) || !aimed.endsWith(".yaml"))
    return { layout: "pointer", target, resolves: false, note: "points outside the store of open episodes" };
  const named = { layout: "pointer", target, key: basename(aimed, ".yaml") } as const;
  const episode = readOpenEpisode(aimed);
  return episode.ok
    ? { ...named, sessionId: episode.value.session_id, resolves: true, note: "names an open episode" }
    : { ...named, resolves: false, note: `names ${target}: ${episode.error}` };
}

/** Aims the pointer at the open episode of this key: a relative link, put in place by rename. */
export function aimPointer(place: PointerPlace, key: string): void {
  const target = join(place.sessionsOpen, openEpisodeName(key));
  replaceLink(place.pointer, relative(dirname(place.pointer), target));
}

/** Removes the pointer itself, never what it names; false when there was none. */
export function clearPointer(place: PointerPlace): boolean {
  return removeFile(place.pointer);
}
