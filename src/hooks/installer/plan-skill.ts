import { readEdited } from "../../core/installation/settings-file.ts";
import { installing, NOTHING_MADE, unchanged, undoing, type FileEdit } from "./edit.ts";
import { isAsWritten, readInstalled } from "./installed-record.ts";
import { isOurSkill } from "./skills.ts";

/**
 * Plans to put a skill in its place. One of that name that somebody else wrote, or changed after us, stays: a skill is
 * a convenience, and no installation fails for it.
 */
export function planSkill(path: string, text: string, installed: string): FileEdit {
  const file = readEdited(path);
  const after = Buffer.from(text);
  if (file.bytes?.equals(after) === true) return unchanged(file);
  const earlier = readInstalled(installed, path);
  if (file.bytes !== undefined) {
    if (!isOurSkill(file.bytes.toString("utf8"))) return unchanged(file, "another skill of this name stays");
    if (earlier !== undefined && !isAsWritten(earlier, file.bytes)) {
      return unchanged(file, "it was changed since Majordomus wrote it, so it stays");
    }
  }
  return installing(file, after, { original: undefined, made: NOTHING_MADE, earlier });
}

/** Whether a plan leaves a skill of ours at its path. */
export function isPlanned(edit: FileEdit): boolean {
  return edit.after !== undefined && isOurSkill(Buffer.from(edit.after).toString("utf8"));
}

/** Plans to take a skill away; one that somebody wrote or changed stays. */
export function planSkillRemoval(path: string, text: string, installed: string): FileEdit {
  const file = readEdited(path);
  const record = readInstalled(installed, path);
  if (file.bytes === undefined) return undoing(file, undefined, "restored", record);
  const ours =
    file.bytes.equals(Buffer.from(text)) || (record !== undefined && isAsWritten(record, file.bytes));
  if (ours) return undoing(file, undefined, "restored", record);
  if (record === undefined) return unchanged(file);
  return { ...unchanged(file, "it is not as Majordomus wrote it, so it stays"), record: "drop" };
}
