import { installing, NOTHING_MADE, unchanged, undoing, type FileEdit } from "./edit.ts";
import { isAsWritten, originalOf, readInstalled } from "./installed-record.ts";
import { readEdited } from "../../core/installation/settings-file.ts";

/** Keeps a machine's own settings out of git, in every worktree of the repository. */
export const SETTINGS_PATTERN = ".claude/settings.local.json";

/** Spellings that keep the same path out. */
function equivalents(pattern: string): string[] {
  return [pattern, `/${pattern}`, `**/${pattern}`];
}

/** The file's lines keep their bytes: names in it may be in any encoding. */
function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("latin1");
}

/** Plans to add our lines to `info/exclude`, each once. */
export function planExclude(
  path: string,
  installed: string,
  patterns: readonly string[] = [SETTINGS_PATTERN],
): FileEdit {
  const file = readEdited(path);
  const text = textOf(file.bytes);
  const lines = new Set(text.split(/\r?\n/));
  const missing = patterns.filter((pattern) => !equivalents(pattern).some((line) => lines.has(line)));
  if (missing.length === 0) return unchanged(file);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" || text.endsWith("\n") ? "" : newline;
  const after = Buffer.from(`${text}${gap}${missing.join(newline)}${newline}`, "latin1");
  const record = readInstalled(installed, path);
  const standing = record !== undefined && isAsWritten(record, file.bytes);
  const earlier = file.bytes === undefined || standing ? record : undefined;
  const original = standing ? originalOf(record) : file.bytes;
  return installing(file, after, { original, made: NOTHING_MADE, earlier });
}

/** Plans to take our lines out again; a line that we did not add stays. */
export function planExcludeRemoval(
  path: string,
  installed: string,
  patterns: readonly string[] = [SETTINGS_PATTERN],
): FileEdit {
  const file = readEdited(path);
  const record = readInstalled(installed, path);
  if (record === undefined) return unchanged(file);
  if (file.bytes === undefined) return undoing(file, undefined, "changed", record);
  if (isAsWritten(record, file.bytes)) return undoing(file, originalOf(record), "restored", record);
  const text = textOf(file.bytes);
  const ours = patterns
    .map((pattern) => pattern.replaceAll(/[.*/]/g, (character) => `\\${character}`))
    .join("|");
  const line = new RegExp(`(?<=^|\\n)(?:${ours})(?:\\r?\\n|$)`, "g");
  const after = Buffer.from(text.replaceAll(line, ""), "latin1");
  if (after.equals(file.bytes)) return { ...unchanged(file), record: "drop" };
  return undoing(file, after, "changed", record);
}
