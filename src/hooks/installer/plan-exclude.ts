import { installing, NOTHING_MADE, unchanged, undoing, type FileEdit } from "./edit.ts";
import { isAsWritten, originalOf, readInstalled } from "./installed-record.ts";
import { readEdited } from "../../core/installation/settings-file.ts";

/** Keeps a machine's own settings out of git, in every worktree of the repository. */
const PATTERN = ".claude/settings.local.json";
const EQUIVALENTS = new Set([PATTERN, `/${PATTERN}`, `**/${PATTERN}`]);

/** The file's lines keep their bytes: names in it may be in any encoding. */
function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("latin1");
}

/** Plans to add our line to `info/exclude`, once. */
export function planExclude(path: string, installed: string): FileEdit {
  const file = readEdited(path);
  const text = textOf(file.bytes);
  if (text.split(/\r?\n/).some((line) => EQUIVALENTS.has(line))) return unchanged(file);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" || text.endsWith("\n") ? "" : newline;
  const after = Buffer.from(`${text}${gap}${PATTERN}${newline}`, "latin1");
  const record = readInstalled(installed, path);
  const earlier = file.bytes === undefined ? record : undefined;
  return installing(file, after, { original: file.bytes, made: NOTHING_MADE, earlier });
}

/** Plans to take our line out again; a line that we did not add stays. */
export function planExcludeRemoval(path: string, installed: string): FileEdit {
  const file = readEdited(path);
  const record = readInstalled(installed, path);
  if (record === undefined) return unchanged(file);
  if (file.bytes === undefined) return undoing(file, undefined, "changed", record);
  if (isAsWritten(record, file.bytes)) return undoing(file, originalOf(record), "restored", record);
  const text = textOf(file.bytes);
  const after = Buffer.from(
    text.replace(/(?<=^|\n)\.claude\/settings\.local\.json(?:\r?\n|$)/, ""),
    "latin1",
  );
  if (after.equals(file.bytes)) return { ...unchanged(file), record: "drop" };
  return undoing(file, after, "changed", record);
}
