import { EXIT, MajordomusError } from "../base/error.ts";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { parseFlat, plainOrQuoted, quoted } from "../text/flat-yaml.ts";
import { clip, inert } from "../text/inert.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import * as z from "zod/mini";
import { admitFields, SessionId, TextList, Timestamp, TreeState } from "./record-fields.ts";
import { RECORD_MAXIMUM_BYTES } from "./record-file.ts";

const text = z.optional(z.string());
const list = z.optional(TextList);
/** A count as text in the file; an integer here. */
export const Count = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.transform((digits) => Number(digits)),
);

/** The lists that are derived from the ledger, in the order in which they are written. */
export const REFERENCE_LISTS = [
  "commits",
  "tasks",
  "issues",
  "milestones",
  "checkpoints",
  "handovers",
  "decisions",
  "questions",
  "evidence",
] as const;

/** The front matter of a closed session, `session/v1` (records.md 3.5). An absent list and an empty one are different facts. */
const Fields = z.strictObject({
  schema: z.literal("session/v1"),
  schema_version: z.optional(Count),
  kind: z.literal("session"),
  created_at: text,
  task_id: text,
  profile: text,
  /** The shared repository id: a remote's URL or `local:<hash>`. */
  repository_id: text,
  worktree_id: z.optional(z.string().check(z.regex(/^[0-9a-f]{8,64}$/))),
  branch: text,
  /** Absent in a recovered record: nobody saw the end. */
  head: text,
  working_tree: z.optional(TreeState),
  changed_files: list,
  changed_files_excluded: z.optional(Count),
  changed_files_excluded_by: list,
  session_id: SessionId,
  started_at: Timestamp,
  closed_at: Timestamp,
  outcome: z.enum(["closed", "interrupted"]),
  title: text,
  worker: text,
  start_head: text,
  start_working_tree: z.optional(TreeState),
  /** Short ids, oldest first; the single entry `diverged` when the start is no ancestor of the end. */
  commits: list,
  tasks: list,
  issues: list,
  milestones: list,
  checkpoints: list,
  handovers: list,
  decisions: list,
  questions: list,
  evidence: list,
});

export type ClosedSession = z.infer<typeof Fields> & {
  /** Everything after the front matter and its blank line. */
  body: string;
};

type PlainKey = "created_at" | "task_id" | "profile" | "repository_id" | "worktree_id" | "branch" | "head";

/** Room for the changed files: the rest of a record must always fit beside them. */
const CHANGED_FILES_BYTES = RECORD_MAXIMUM_BYTES / 2;

/**
 * The lines of a changed-files block, and how many paths found no room in it. A record that its own
 * reader would refuse for its size would be lost, so the list is cut and the rest is counted.
 */
export function changedFilesLines(paths: readonly string[]): { lines: string[]; left: number } {
  const lines: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const line = `  - ${plainOrQuoted(path)}`;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > CHANGED_FILES_BYTES) break;
    lines.push(line);
  }
  return { lines, left: paths.length - lines.length };
}

function changedFilesBlock(record: ClosedSession): string[] {
  const paths = record.changed_files;
  const { lines, left } = changedFilesLines(paths ?? []);
  // The original's close writes a bare key, its recovery `[]`.
  const empty = record.head === undefined ? "changed_files: []" : "changed_files:";
  const excluded = record.changed_files_excluded;
  const by = record.changed_files_excluded_by;
  return [
    ...(paths === undefined ? [] : paths.length === 0 ? [empty] : ["changed_files:", ...lines]),
    ...(excluded === undefined && left === 0 ? [] : [`changed_files_excluded: ${(excluded ?? 0) + left}`]),
    ...(by === undefined || by.length === 0
      ? []
      : ["changed_files_excluded_by:", ...by.map((item) => `  - ${plainOrQuoted(item)}`)]),
  ];
}

/**
 * Writes a closed session byte for byte as the original's close and recovery do: the keys that are there,
 * in the fixed order. Of changed files at most 512 KiB are listed, the rest is counted in
 * `changed_files_excluded`. Throws (exit 13) when the whole would be larger than a record may be.
 */
export function formatClosedSession(record: ClosedSession): string {
  const plain = (...keys: (PlainKey | "working_tree" | "start_head" | "start_working_tree")[]) =>
    keys.flatMap((key) => (record[key] === undefined ? [] : [`${key}: ${plainOrQuoted(record[key])}`]));
  const lines = [
    "---",
    `schema: ${record.schema}`,
    ...(record.schema_version === undefined ? [] : [`schema_version: ${record.schema_version}`]),
    `kind: ${record.kind}`,
    ...plain("created_at", "task_id", "profile", "repository_id", "worktree_id", "branch", "head"),
    ...plain("working_tree"),
    ...changedFilesBlock(record),
    `session_id: ${plainOrQuoted(record.session_id)}`,
    `started_at: ${record.started_at}`,
    `closed_at: ${record.closed_at}`,
    `outcome: ${record.outcome}`,
    ...(record.title === undefined ? [] : [`title: ${quoted(record.title)}`]),
    ...(record.worker === undefined ? [] : [`worker: ${quoted(record.worker)}`]),
    ...plain("start_head", "start_working_tree"),
    ...REFERENCE_LISTS.flatMap((key) => referenceLines(key, record[key])),
    "---",
  ];
  const document = `${lines.join("\n")}\n\n${record.body}`;
  if (Buffer.byteLength(document) > RECORD_MAXIMUM_BYTES)
    throw new MajordomusError({
      code: "session.record_too_large",
      exit: EXIT.internal,
      subject: record.session_id,
      message: `the closed record would be larger than ${RECORD_MAXIMUM_BYTES} bytes`,
      remedy: "close it with a shorter summary",
    });
  return document;
}

/** A reference list's lines: `name: []` when empty, nothing when the key is absent. */
export function referenceLines(key: string, values: readonly string[] | undefined): string[] {
  if (values === undefined) return [];
  if (values.length === 0) return [`${key}: []`];
  return [`${key}:`, ...values.map((value) => `  - ${quoted(value)}`)];
}

function readFields(source: string): Result<ClosedSession, string> {
  const split = splitFrontMatter(source);
  if (!split.ok) return split;
  const fields = parseFlat(split.value.head, HEAD_FIRST_LINE);
  if (!fields.ok) return fields;
  const schema = fields.value.get("schema");
  if (typeof schema === "string" && schema !== "session/v1")
    return failed(`schema: ${clip(inert(schema), 40)} is not session/v1, the one that this version reads`);
  const record = admitFields(Fields, fields.value);
  if (!record.ok) return record;
  return ok({ ...record.value, body: split.value.body.replace(/^\r?\n/, "") });
}

/**
 * Reads a closed session. Another schema, a missing required key, an unknown key or a value outside its
 * vocabulary fails with a clause that names it, after the path when one is given.
 */
export function parseClosedSession(source: string, path?: string): Result<ClosedSession, string> {
  const record = readFields(source);
  return record.ok || path === undefined ? record : failed(`${path}: ${record.error}`);
}
