import { EXIT, MajordomusError } from "../base/error.ts";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { parseFlat, plainOrQuoted, quoted } from "../text/flat-yaml.ts";
import { clip, inert } from "../text/inert.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import * as z from "zod/mini";
import { changedFilesLines, Count } from "./closed-session.ts";
import { admitFields, listOrNone, TextList, textOr, TreeState } from "./record-fields.ts";
import { RECORD_MAXIMUM_BYTES } from "./record-file.ts";

const text = textOr("");
const optionalText = z.optional(z.string());

/** The front matter that handovers and checkpoints share (records.md 1.5). */
const Fields = z.object({
  /** Any text: a time that cannot be read is labelled `invalid`, not hidden. */
  created_at: z.string().check(z.minLength(1)),
  /** `none` outside a task. */
  task_id: textOr("none"),
  profile: textOr("none"),
  owner: text,
  /** The local repository id: the git common dir. */
  repository_id: text,
  /** Absolute; `continuity:<device>` in a handover that came from another machine. */
  worktree: text,
  branch: text,
  head: z.string().check(z.minLength(1)),
  working_tree: z.optional(TreeState),
  changed_files: listOrNone(),
  changed_files_excluded: z.optional(Count),
  changed_files_excluded_by: z.optional(TextList),
  continuity_record: optionalText,
  continuity_device: optionalText,
  issue: optionalText,
  milestone: optionalText,
});

export type WorkRecord = z.infer<typeof Fields> & {
  /** Everything after the front matter and its blank line. */
  body: string;
};

const IDENTITY_LINE =
  /(?:^|\n)((?:schema_version|created_at|task_id|repository_id|worktree|branch|head|working_tree|changed_files):[^\n]*)/;

/** The first line of a body that poses as front matter, or undefined: such a body is refused (records.md 1.5). */
export function findIdentityLine(body: string): string | undefined {
  return IDENTITY_LINE.exec(body)?.[1];
}

/**
 * Writes a handover or checkpoint byte for byte as the original does. Of changed files at most 512 KiB are
 * listed, the rest is counted. Throws (exit 10) when the body makes it larger than a record may be.
 */
export function formatWorkRecord(record: WorkRecord): string {
  const { lines: paths, left } = changedFilesLines(record.changed_files);
  const excluded = (record.changed_files_excluded ?? 0) + left;
  const by = record.changed_files_excluded_by ?? [];
  const lines = [
    "---",
    "schema_version: 1",
    `created_at: ${plainOrQuoted(record.created_at)}`,
    `task_id: ${plainOrQuoted(record.task_id)}`,
    `profile: ${plainOrQuoted(record.profile)}`,
    `owner: ${quoted(record.owner)}`,
    ...(["repository_id", "worktree", "branch", "head", "working_tree"] as const).flatMap((key) =>
      record[key] === undefined ? [] : [`${key}: ${plainOrQuoted(record[key])}`],
    ),
    "changed_files:",
    ...paths,
    ...(record.changed_files_excluded === undefined && left === 0
      ? []
      : [`changed_files_excluded: ${excluded}`]),
    ...(by.length === 0
      ? []
      : ["changed_files_excluded_by:", ...by.map((item) => `  - ${plainOrQuoted(item)}`)]),
    ...(["continuity_record", "continuity_device"] as const).flatMap((key) =>
      record[key] === undefined ? [] : [`${key}: ${plainOrQuoted(record[key])}`],
    ),
    ...(["issue", "milestone"] as const).flatMap((key) =>
      record[key] === undefined ? [] : [`${key}: ${quoted(record[key])}`],
    ),
    "---",
  ];
  const document = `${lines.join("\n")}\n\n${record.body}`;
  if (Buffer.byteLength(document) > RECORD_MAXIMUM_BYTES)
    throw new MajordomusError({
      code: "record.too_large",
      exit: EXIT.finding,
      message: `the record would be larger than ${RECORD_MAXIMUM_BYTES} bytes`,
      remedy: "shorten its body",
    });
  return document;
}

/** Reads a handover or checkpoint; keys that later versions add are left alone. Fails naming the field. */
export function parseWorkRecord(source: string): Result<WorkRecord, string> {
  const split = splitFrontMatter(source);
  if (!split.ok) return split;
  const fields = parseFlat(split.value.head, HEAD_FIRST_LINE);
  if (!fields.ok) return fields;
  const version = fields.value.get("schema_version");
  if (version !== "1")
    return failed(
      `schema_version: ${clip(inert(String(version ?? "missing")), 40)} is not 1, the one that this version reads`,
    );
  const record = admitFields(Fields, fields.value);
  if (!record.ok) return record;
  return ok({ ...record.value, body: split.value.body.replace(/^\r?\n/, "") });
}
