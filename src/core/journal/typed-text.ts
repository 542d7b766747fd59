import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as z from "zod/mini";
import { randomHex } from "../base/random.ts";
import { compactTimestamp } from "../base/time.ts";
import { ownProcess, judgeHolder } from "../fs/process.ts";
import { isPresent, listDirectory, readRegularFile, readText } from "../fs/read.ts";
import { createExclusive, makeDirectory } from "../fs/write.ts";
import { ProcessIdentity } from "./registration.ts";
import { userStateDirectory } from "./user-state.ts";

/** A text that a person types in an editor: on disk from its first letter on, until the record stands that it is for. */
export interface TypedText {
  /** What the editor is given. Private, as is the directory, which takes what the editor puts beside it. */
  path: string;
  directory: string;
  /** What it began with: as long as it says no more, nothing is lost with it. */
  beginning: string;
}

/** How many texts wait that became no record; the oldest gives way to a new one. */
export const TYPED_TEXTS_KEPT = 50;

const OURS = /^\d{8}T\d{6}Z-[0-9a-f]{16}$/;
/** Beside a text: the process in which somebody types it. */
const TYPIST = ".typist.json";
const TYPIST_BYTES = 4096;
const LARGEST_BYTES = 64 * 1024 * 1024;

function shelfOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const state = userStateDirectory(environment);
  return state === undefined ? undefined : join(state, "typed");
}

function removeWhole(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // What cannot be removed stays private, and goes when it is the oldest.
  }
}

/** A new private directory on the user's shelf; beside other temporary files where there is none to write to. */
function newDirectory(shelf: string | undefined, milliseconds: number): string {
  if (shelf !== undefined) {
    try {
      makeDirectory(shelf, 0o700);
      const directory = join(shelf, `${compactTimestamp(milliseconds)}-${randomHex(8)}`);
      mkdirSync(directory, { mode: 0o700 });
      return directory;
    } catch {
      // A home that is read only, or full.
    }
  }
  return mkdtempSync(join(tmpdir(), "majordomus-"));
}

function typistOf(directory: string): z.infer<typeof ProcessIdentity> | undefined {
  const note = readText(join(directory, TYPIST), { maximumBytes: TYPIST_BYTES });
  if (!note.ok) return undefined;
  try {
    const typist = ProcessIdentity.safeParse(JSON.parse(note.value));
    return typist.success ? typist.data : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text waits: nobody types it any more, and it did not go meanwhile. */
function waits(directory: string): boolean {
  const typist = typistOf(directory);
  if (typist !== undefined && judgeHolder(typist) === "alive") return false;
  return isPresent(directory);
}

/** Texts of earlier runs that became no record, the newest first; what somebody types just now is none of them. */
export function earlierTypedTexts(environment: Readonly<Record<string, string | undefined>>): string[] {
  const shelf = shelfOf(environment);
  if (shelf === undefined) return [];
  return listDirectory(shelf)
    .filter((name) => OURS.test(name))
    .toReversed()
    .map((name) => join(shelf, name))
    .filter(waits);
}

/**
 * Lays a file for an editor, readable by nobody else, under the user's state directory.
 *
 * @param facts.name the file's stem in the editor.
 * @param facts.milliseconds the present time.
 */
export function beginTypedText(
  environment: Readonly<Record<string, string | undefined>>,
  { name, beginning, milliseconds }: { name: string; beginning: string; milliseconds: number },
): TypedText {
  for (const oldest of earlierTypedTexts(environment).slice(TYPED_TEXTS_KEPT - 1)) removeWhole(oldest);
  const directory = newDirectory(shelfOf(environment), milliseconds);
  const path = join(directory, `${name}.md`);
  createExclusive(join(directory, TYPIST), JSON.stringify(ownProcess()), { mode: 0o600 });
  createExclusive(path, beginning, { mode: 0o600 });
  return { path, directory, beginning };
}

/** Forgets a text, with what the editor left beside it: its record stands, or there is nothing in it. */
export function dropTypedText({ directory }: TypedText): void {
  removeWhole(directory);
}

/**
 * Keeps a text whose record does not stand, readable by nobody else, also where the editor wrote the file anew.
 *
 * @returns where it is; undefined, and it is gone, where it says no more than it did at its beginning.
 */
export function keepTypedText(text: TypedText): string | undefined {
  const bytes = readRegularFile(text.path, { maximumBytes: LARGEST_BYTES });
  const said = bytes.ok ? bytes.value.toString("utf8").trim() : undefined;
  if (said === "" || said === text.beginning.trim() || (!bytes.ok && bytes.error.kind === "absent")) {
    dropTypedText(text);
    return undefined;
  }
  // Given up: it waits from now on, though the process may go on.
  removeWhole(join(text.directory, TYPIST));
  if (lstatSync(text.path).isFile()) chmodSync(text.path, 0o600);
  return text.path;
}
