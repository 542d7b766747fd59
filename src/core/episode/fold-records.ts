import { basename } from "node:path";
import type { ClosedSession } from "../records/closed-session.ts";
import { REFERENCE_LISTS } from "../records/closed-session.ts";
import type { ClosedSessionChanges } from "../records/session-rewrite.ts";
import type { Duplicate } from "./plan-duplicates.ts";

const HEADING = "## Recovery";

function union(lists: readonly (readonly string[] | undefined)[]): string[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  // An absent list and an empty one are different facts.
  return known.length === 0 ? undefined : [...new Set(known.flat())];
}

/** Quoted, so that no heading of it is taken for one of the record that keeps it. */
function quotedText(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function foldedBody({ canonical, others }: Duplicate): string {
  let body = canonical.session.body;
  const kept = new Set([body.trim(), ""]);
  for (const { path, session } of others) {
    const name = basename(path);
    // A fold that was killed after it wrote begins again: nothing is appended twice.
    if (body.split("\n").includes(`- folded ${name}`)) continue;
    const heading = body.includes(HEADING) ? "" : `${HEADING}\n\n`;
    const text = session.body.trim();
    const quotation = kept.has(text) ? "" : `\nIts text:\n\n${quotedText(text)}\n`;
    kept.add(text);
    body = `${body.trimEnd()}\n\n${heading}- folded ${name}\n${quotation}`;
  }
  return body;
}

/**
 * What the record that stays takes over from the others of its episode (records.md 13.1): the union of their
 * lists, and beneath its own text every other text, so that nothing that somebody wrote goes with a file.
 */
export function foldChanges(duplicate: Duplicate): ClosedSessionChanges {
  const all: ClosedSession[] = [duplicate.canonical, ...duplicate.others].map(({ session }) => session);
  const lists = ["changed_files", ...REFERENCE_LISTS] as const;
  const changes = Object.fromEntries(lists.map((key) => [key, union(all.map((record) => record[key]))]));
  return { ...changes, body: foldedBody(duplicate) };
}
