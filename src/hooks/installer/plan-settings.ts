import type { HookGroup, Launcher } from "../../core/installation/claude-hooks.ts";
import { installing, unchanged, undoing, type FileEdit } from "./edit.ts";
import { isAsWritten, originalOf, readInstalled, type InstalledRecord } from "./installed-record.ts";
import { parseJson } from "../../core/installation/json-tree.ts";
import { findOurs } from "../../core/installation/our-entries.ts";
import { mergeHooks, removeHooks, type MadeContainers } from "./merge-hooks.ts";
import { hasOurStatusLine, mergeStatusLine, removeStatusLine } from "./merge-status-line.ts";
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
  /** What our status line starts; undefined where none is installed, since others share the file. */
  statusLine?: Extract<Launcher, { kind: "program" }>;
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
  const lined =
    facts.statusLine === undefined ? { text: merged.text } : mergeStatusLine(merged.text, facts.statusLine);
  const after = Buffer.from(mark + lined.text);
  if (file.bytes?.equals(after) === true) return unchanged(file, lined.note);
  const record = standingRecord(facts, file, text);
  const original =
    record !== undefined && isAsWritten(record, file.bytes)
      ? originalOf(record)
      : file.bytes && Buffer.from(mark + withoutUs(text, record?.made, facts));
  const edit = installing(file, after, { original, made: merged.made, earlier: record });
  return lined.note === undefined ? edit : { ...edit, note: lined.note };
}

/** A settings text with neither hooks nor a status line of ours. */
function withoutUs(text: string, made: MadeContainers | undefined, { script }: SettingsFacts): string {
  return removeStatusLine(removeHooks(text, made, script), script);
}

/** The record of the file, if something of what it tells of still stands there, or never came to stand. */
function standingRecord(facts: SettingsFacts, file: EditedFile, text: string): InstalledRecord | undefined {
  const record = readInstalled(facts.installed, facts.path);
  if (record === undefined || file.bytes === undefined) return record;
  const root = parseJson(text);
  const stands = root.ok && findOurs(root.value, facts.script).length > 0;
  return stands || hasOurStatusLine(text, facts.script) ? record : undefined;
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
  const after = Buffer.from(mark + withoutUs(text, record?.made, facts));
  if (after.equals(file.bytes)) return { ...unchanged(file), record: "drop" };
  return undoing(file, after, "changed", record);
}
