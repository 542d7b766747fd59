import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { installing, NOTHING_MADE, unchanged, undoing, type FileEdit } from "./edit.ts";
import { isAsWritten, readInstalled } from "./installed-record.ts";
import { readEdited } from "../../core/installation/settings-file.ts";
import { isShim, SHIM_TEXT } from "./shim.ts";

const EXECUTABLE = 0o755;

/**
 * Plans to put the shim in its place.
 *
 * @throws MajordomusError 15 where another file has its name.
 */
export function planShim(path: string, installed: string): FileEdit {
  const file = readEdited(path);
  const after = Buffer.from(SHIM_TEXT);
  if (file.bytes !== undefined && !isShim(file.bytes.toString("latin1"))) {
    throw new MajordomusError({
      code: "shim.foreign",
      exit: EXIT.refused,
      subject: path,
      message: "is a file that Majordomus did not write",
      remedy: "nothing was written; move it away, then try again",
    });
  }
  const runs = ((file.mode ?? 0) & 0o111) === 0o111;
  if (file.bytes?.equals(after) === true && runs) return unchanged(file);
  const earlier = readInstalled(installed, path);
  return installing(file, after, { original: undefined, made: NOTHING_MADE, earlier, mode: EXECUTABLE });
}

/** Plans to take the shim away; one that somebody has changed stays. */
export function planShimRemoval(path: string, installed: string): FileEdit {
  const file = readEdited(path);
  const record = readInstalled(installed, path);
  if (file.bytes === undefined) return undoing(file, undefined, "restored", record);
  const ours =
    file.bytes.equals(Buffer.from(SHIM_TEXT)) || (record !== undefined && isAsWritten(record, file.bytes));
  if (ours) return undoing(file, undefined, "restored", record);
  return { ...unchanged(file, "it is not as Majordomus wrote it, so it stays"), record: "drop" };
}
