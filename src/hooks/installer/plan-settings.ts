import type { HookGroup } from "../../core/installation/claude-hooks.ts";
import { installing, unchanged, undoing, type FileEdit } from "./edit.ts";
import { isAsWritten, originalOf, readInstalled, type InstalledRecord } from "./installed-record.ts";
import { parseJson } from "../../core/installation/json-tree.ts";
import { findOurs } from "../../core/installation/our-entries.ts";
import { mergeHooks, removeHooks } from "./merge-hooks.ts";
import { readEdited, readSettings, type EditedFile } from "../../core/installation/settings-file.ts";

/** What a new settings file begins as. */
const EMPTY = "{}\n";

/** What planning an edit of a settings file needs to know. */
export interface SettingsFacts {
  path: string;
  /** Where records of installations lie. */
  installed: string;
  /** The program's path: entries with it are ours. */
  script: string;
}

/**
 * Plans the installation into one settings file.
 *
 * @throws MajordomusError 10 for a file that cannot be edited safely.
 */
export function planSettings(facts: SettingsFacts, wanted: ReadonlyMap<string, HookGroup>): FileEdit {
  const file = readEdited(facts.path);
  const { mark, text } = readSettings(facts.path, file.bytes ?? Buffer.from(EMPTY));
  const merged = mergeHooks(text, wanted, facts.script);
  const after = Buffer.from(mark + merged.text);
  if (file.bytes?.equals(after) === true) return unchanged(file);
  const record = standingRecord(facts, file, text);
  const original =
    record !== undefined && isAsWritten(record, file.bytes)
      ? originalOf(record)
      : file.bytes && Buffer.from(mark + removeHooks(text, record?.made, facts.script));
  return installing(file, after, { original, made: merged.made, earlier: record });
}

/** The record of the file, if something of what it tells of still stands there, or never came to stand. */
function standingRecord(facts: SettingsFacts, file: EditedFile, text: string): InstalledRecord | undefined {
  const record = readInstalled(facts.installed, facts.path);
  if (record === undefined || file.bytes === undefined) return record;
  const root = parseJson(text);
  return root.ok && findOurs(root.value, facts.script).length > 0 ? record : undefined;
}

/**
 * Plans to take our entries out of one settings file: its former bytes where it is as we left it, else the
 * entries alone.
 *
 * @throws MajordomusError 10 for a file that cannot be edited safely.
 */
export function planSettingsRemoval(facts: SettingsFacts): FileEdit {
  const file = readEdited(facts.path);
  const record = readInstalled(facts.installed, facts.path);
  if (file.bytes === undefined) return undoing(file, undefined, "changed", record);
  if (record !== undefined && isAsWritten(record, file.bytes)) {
    return undoing(file, originalOf(record), "restored", record);
  }
  const { mark, text } = readSettings(facts.path, file.bytes);
  const after = Buffer.from(mark + removeHooks(text, record?.made, facts.script));
  if (after.equals(file.bytes)) return { ...unchanged(file), record: "drop" };
  return undoing(file, after, "changed", record);
}
