import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { parseFlat } from "../text/flat-yaml.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";
import { changedFilesLines, REFERENCE_LISTS, referenceLines } from "./closed-session.ts";
import { RECORD_MAXIMUM_BYTES } from "./record-file.ts";

type ListKey = "changed_files" | (typeof REFERENCE_LISTS)[number];

export type ClosedSessionChanges = { readonly [Key in ListKey]?: readonly string[] | undefined } & {
  /** Replaces the body, without the blank line after the front matter. */
  body?: string;
};

/** Where an absent list is put: before the first of these keys that is there, else at the head's end. */
function followersOf(key: ListKey): readonly string[] {
  if (key === "changed_files") return ["changed_files_excluded", "changed_files_excluded_by", "session_id"];
  return REFERENCE_LISTS.slice(REFERENCE_LISTS.indexOf(key) + 1);
}

function lineOfKey(lines: readonly string[], key: string): number {
  return lines.findIndex((line) => line.startsWith(`${key}:`));
}

function replaceList(lines: string[], key: ListKey, replacement: readonly string[]): void {
  const start = lineOfKey(lines, key);
  if (start < 0) {
    const follower = followersOf(key)
      .map((name) => lineOfKey(lines, name))
      .find((index) => index >= 0);
    lines.splice(follower ?? lines.length, 0, ...replacement);
    return;
  }
  let end = start + 1;
  while (end < lines.length && /^ *-/.test(lines[end] ?? "")) end += 1;
  lines.splice(start, end - start, ...replacement);
}

function listLines(key: ListKey, values: readonly string[]): Result<string[], string> {
  if (key !== "changed_files") return ok(referenceLines(key, values));
  if (values.length === 0) return ok(["changed_files: []"]);
  const { lines, left } = changedFilesLines(values);
  return left === 0
    ? ok(["changed_files:", ...lines])
    : failed(`changed_files: ${left} paths too many for one record`);
}

function readsBack(head: string, key: ListKey, values: readonly string[]): boolean {
  const fields = parseFlat(head);
  const stored = fields.ok ? fields.value.get(key) : undefined;
  return (
    Array.isArray(stored) && stored.length === values.length && stored.every((item, i) => item === values[i])
  );
}

/**
 * Changes a closed record's lists or body in its own text: every other byte, unknown keys,
 * comments, order and line ends included, stays as it was. Lists that already say the same are not touched.
 * Fails, changing nothing, when the text has no front matter, would not read back, or would grow too large.
 */
export function rewriteClosedSession(source: string, changes: ClosedSessionChanges): Result<string, string> {
  const split = splitFrontMatter(source);
  if (!split.ok) return split;
  const newline = /^[^\n]*\r\n/.test(source) ? "\r\n" : "\n";
  let head = split.value.head;
  for (const key of ["changed_files", ...REFERENCE_LISTS] as const) {
    const values = changes[key];
    if (values === undefined || readsBack(head, key, values)) continue;
    const replacement = listLines(key, values);
    if (!replacement.ok) return replacement;
    const lines = head.split("\n");
    // The head ends with a newline: the empty rest is not a line to insert after.
    lines.pop();
    replaceList(
      lines,
      key,
      newline === "\r\n" ? replacement.value.map((line) => `${line}\r`) : replacement.value,
    );
    head = `${lines.join("\n")}\n`;
    if (!readsBack(head, key, values)) return failed(`${key}: does not read back from the rewritten record`);
  }
  const { headStart, bodyStart } = split.value;
  const fence = source.slice(headStart + split.value.head.length, bodyStart);
  const fenceEnd = fence.endsWith("\n") ? "" : newline;
  const body = changes.body === undefined ? split.value.body : `${fenceEnd}${newline}${changes.body}`;
  const rewritten = `${source.slice(0, headStart)}${head}${fence}${body}`;
  if (Buffer.byteLength(rewritten) > RECORD_MAXIMUM_BYTES)
    return failed(`the record would be larger than ${RECORD_MAXIMUM_BYTES} bytes`);
  return ok(rewritten);
}
