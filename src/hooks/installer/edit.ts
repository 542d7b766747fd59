import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { sha256Hex } from "../../core/base/id.ts";
import type { InstalledRecord } from "./installed-record.ts";
import type { MadeContainers } from "./merge-hooks.ts";
import type { EditedFile } from "../../core/installation/settings-file.ts";

export type EditAction = "created" | "changed" | "restored" | "removed" | "unchanged";

/** What is to become of one file, decided before anything is written. */
export interface FileEdit {
  file: EditedFile;
  action: EditAction;
  /** The bytes to stand there; undefined where the file goes. */
  after: Uint8Array | undefined;
  /** Permission bits; those of the file where it exists, else the system's habit. */
  mode?: number;
  /** What to remember of it (an installation), or that nothing need be remembered (its undoing). */
  record?: Omit<InstalledRecord, "schema"> | "drop";
  /** Directories of ours to take away when this leaves them empty, innermost first. */
  directories: string[];
  /** What a person should know of it. */
  note?: string;
}

export const NOTHING_MADE: MadeContainers = { hooks: false, events: [] };

/** A file that stays as it is. */
export function unchanged(file: EditedFile, note?: string): FileEdit {
  return {
    file,
    action: "unchanged",
    after: file.bytes,
    directories: [],
    ...(note !== undefined && { note }),
  };
}

/**
 * An edit that installs: the file gets these bytes, and its record says how to undo it.
 *
 * @param earlier the record of an installation whose work still stands in the file.
 * @param original the bytes that undoing shall give back; undefined where undoing removes the file.
 */
export function installing(
  file: EditedFile,
  after: Uint8Array,
  facts: {
    original: Uint8Array | undefined;
    made: MadeContainers;
    earlier: InstalledRecord | undefined;
    mode?: number;
  },
): FileEdit {
  const { original, made, earlier } = facts;
  const directories = [...missingAbove(file.target), ...(earlier?.directories ?? [])];
  return {
    file,
    action: file.bytes === undefined ? "created" : "changed",
    after,
    directories: [],
    record: {
      path: file.path,
      original: original === undefined ? null : Buffer.from(original).toString("base64"),
      written: sha256Hex(after),
      made: {
        hooks: made.hooks || earlier?.made.hooks === true,
        events: [...new Set([...(earlier?.made.events ?? []), ...made.events])],
      },
      directories: [...new Set(directories)],
    },
    ...(facts.mode !== undefined && { mode: facts.mode }),
  };
}

/**
 * An edit that undoes an installation.
 *
 * @param after the bytes without us; undefined where the file was ours as a whole.
 */
export function undoing(
  file: EditedFile,
  after: Uint8Array | undefined,
  action: "changed" | "restored",
  record: InstalledRecord | undefined,
): FileEdit {
  const gone = after === undefined;
  return {
    file,
    action: gone ? (file.bytes === undefined ? "unchanged" : "removed") : action,
    after,
    record: "drop",
    directories: gone ? (record?.directories ?? []) : [],
  };
}

/** Directories above a path that do not exist yet, innermost first. */
function missingAbove(path: string): string[] {
  const missing: string[] = [];
  for (let above = dirname(path); !existsSync(above); above = dirname(above)) missing.push(above);
  return missing;
}
