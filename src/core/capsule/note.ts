import { join, relative, sep } from "node:path";
import { readCursor } from "./autosave/cursor.ts";
import { nameInCursor } from "./autosave/names.ts";
import { bulletsIn } from "./autosave/sections.ts";
import { sessionToken } from "./autosave/session-token.ts";
import { CapsuleDocument } from "./document.ts";
import { readCapsule } from "./files.ts";
import { REFERENCE_ONLY, SECTIONS } from "./framing.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";

/** What came of the flush before a compaction, as the one who summarises is told. */
export type FlushClass = "flushed" | "current" | "deferred" | "killed" | "unobservable" | "failed";

const STATES: Readonly<Record<FlushClass, string>> = {
  flushed: "The session's capsule was brought up to date just now.",
  current: "The session's capsule was up to date already.",
  deferred: "Another writer is at work on the session's capsule; what is told here may lag behind.",
  killed: "The autosave is switched off; what is told here is not of this moment.",
  unobservable: "Nothing of this session could be observed; what is told here is not of this moment.",
  failed: "The session's capsule could not be brought up to date; what is told here lags behind.",
};

const MOST_ROWS = 12;
const ROW_CHARACTERS = 240;
const ROWS_CHARACTERS = 1200;
const LARGEST = 6000;

/** The rows that wait for a decision, bounded, and the cut announced. */
function gateLines(body: string): string[] {
  const rows = bulletsIn(body, "gates").map((row) => row.slice(2));
  const lines: string[] = [];
  let length = 0;
  for (const row of rows.slice(0, MOST_ROWS)) {
    const line = `  - ${quoteValue(row, ROW_CHARACTERS)}`;
    length += line.length;
    if (length > ROWS_CHARACTERS) break;
    lines.push(line);
  }
  const left = rows.length - lines.length;
  return left > 0 ? [...lines, `  (${left} more row(s) in the capsule)`] : lines;
}

/**
 * Composes the table of contents that goes to whoever summarises a conversation: where this very session's capsule
 * lies, its three values, what waits for a decision. Another session's capsule is never told of.
 */
export function composeCompactionNote(tree: MemoryTree, session: string, kind: FlushClass): string {
  const cursor = readCursor(tree, sessionToken(session));
  const name = cursor.ok && cursor.value !== undefined ? nameInCursor(tree, cursor.value) : undefined;
  const bytes = name === undefined ? undefined : readCapsule(join(tree.capsules, name));
  const document = bytes?.ok === true ? CapsuleDocument.parse(bytes.value) : undefined;
  const opening = `Majordomus capsule of this session, table of contents. ${STATES[kind]}`;
  if (name === undefined || document === undefined || bytes?.ok !== true) {
    const why = name === undefined ? "It has none yet." : `${quoteValue(name, 120)} could not be read.`;
    return `${opening}\n${why} /resume shows what could be resumed.\n`;
  }
  const path = relative(tree.base, join(tree.capsules, name)).split(sep).join("/");
  const values = (["objective", "waiting_on", "next_valid_action"] as const).map(
    (field) => `  ${field}: ${quoteValue(document.value(field), 400)}`,
  );
  const gates = gateLines(bytes.value.toString("latin1", document.place.bodyStart));
  const lines = [
    opening,
    `  path: ${quoteValue(path, 240)} ${REFERENCE_ONLY}`,
    ...values,
    gates.length === 0 ? "Pending-Gates: none are noted." : "Pending-Gates:",
    ...gates,
    `Sections: ${SECTIONS.map(({ heading }) => `#${heading.slice(3)}`).join(", ")}`,
  ];
  while (lines.join("\n").length + 1 > LARGEST) lines.pop();
  return `${lines.join("\n")}\n`;
}
