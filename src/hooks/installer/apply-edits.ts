import { rmdirSync } from "node:fs";
import { dirname, sep } from "node:path";
import { EXIT, MajordomusError, errnoOf } from "../../core/base/error.ts";
import { readRegularFile } from "../../core/fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../../core/fs/write.ts";
import type { FileEdit } from "./edit.ts";
import { dropInstalled, writeInstalled } from "./installed-record.ts";

/**
 * Carries out planned edits in their order. Each file is written whole, durably and with its mode; its
 * record stands before it, so that an installation that was cut short can be undone, and goes after it.
 *
 * @param installed where records of installations lie.
 * @throws MajordomusError 10 when a file has changed since it was planned; the errno error of a failed write.
 */
export function applyEdits(edits: readonly FileEdit[], installed: string): void {
  for (const edit of edits) applyEdit(edit, installed);
}

function applyEdit(edit: FileEdit, installed: string): void {
  const { file, after, record } = edit;
  if (edit.action !== "unchanged") {
    requireUntouched(edit);
    if (record !== undefined && record !== "drop") writeInstalled(installed, record);
    if (after === undefined) removeFile(file.target);
    else {
      const mode = edit.mode ?? file.mode;
      makeDirectory(dirname(file.target));
      writeAtomic(file.target, after, { durable: true, ...(mode !== undefined && { mode }) });
    }
  }
  for (const directory of edit.directories) removeEmptied(directory, file.target);
  if (record === "drop") dropInstalled(installed, file.path);
}

function requireUntouched({ file }: FileEdit): void {
  const now = readRegularFile(file.target, { maximumBytes: (file.bytes?.length ?? 0) + 1 });
  const same = now.ok ? file.bytes?.equals(now.value) === true : file.bytes === undefined;
  if (same) return;
  throw new MajordomusError({
    code: "settings.changed",
    exit: EXIT.finding,
    subject: file.path,
    message: "changed while it was being edited, so it was left alone",
    remedy: "try again",
  });
}

/** Takes a directory away if it is empty and really lies above the file: a record may be wrong, or a trap. */
function removeEmptied(directory: string, path: string): void {
  if (!path.startsWith(directory + sep)) return;
  try {
    rmdirSync(directory);
  } catch (error) {
    if (
      !["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EPERM", "EACCES", "EBUSY"].includes(errnoOf(error) ?? "")
    ) {
      throw error;
    }
  }
}
