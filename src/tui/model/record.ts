import type { Row } from "./rows.ts";

/** The record that a row names, as its source writes the path; undefined when it names none. */
export function recordOf(row: Row): string | undefined {
  if (row.kind === "line") return row.line.record;
  if (row.kind === "record") return row.record.path;
  if (row.kind === "candidate") return row.candidate.path;
  return row.kind === "closed" ? row.closed.path : undefined;
}
