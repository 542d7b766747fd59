import { authoredText } from "../../core/text/authored.ts";
import { graphemesOf } from "../cells.ts";
import { layoutText, rowOf } from "./text-layout.ts";

/** A text that is being written, and where in it. */
export interface TextField {
  text: string;
  /** An index between two graphemes. */
  caret: number;
}

/** What may stand in a field: one line, or a text of several. */
export type TextKind = "line" | "text";

/** More than any record may have; a larger paste is cut, and that is said. */
export const LONGEST_TEXT = 64 * 1024;

const FOLDED = /[\n\t\u2028\u2029]+ */g;

/** Text as a record keeps it: no terminal sequences, no controls; in a line no breaks either. */
export function cleanText(text: string, kind: TextKind): string {
  const clean = authoredText(text);
  return kind === "line" ? clean.replaceAll(FOLDED, " ") : clean;
}

/**
 * Puts text where the caret stands.
 *
 * @returns the field, and how many characters had no room.
 */
export function insertText(
  { text, caret }: TextField,
  added: string,
  kind: TextKind,
): { field: TextField; dropped: number } {
  const clean = cleanText(added, kind);
  const room = Math.max(0, LONGEST_TEXT - text.length);
  // Never through the middle of a pair.
  const fitting = clean.length <= room ? clean : clean.slice(0, room).replace(/[\ud800-\udbff]$/, "");
  return {
    field: { text: text.slice(0, caret) + fitting + text.slice(caret), caret: caret + fitting.length },
    dropped: clean.length - fitting.length,
  };
}

/** The start of the grapheme before an index. */
function before(text: string, index: number): number {
  const line = text.lastIndexOf("\n", index - 1);
  if (line === index - 1) return Math.max(0, line);
  const last = graphemesOf(text.slice(line + 1, index)).at(-1) ?? "";
  return index - last.length;
}

/** The end of the grapheme at an index. */
function after(text: string, index: number): number {
  if (index >= text.length || text[index] === "\n") return Math.min(index + 1, text.length);
  const line = text.indexOf("\n", index);
  const [first = ""] = graphemesOf(text.slice(index, line < 0 ? text.length : line));
  return index + first.length;
}

function erase({ text, caret }: TextField, from: number): TextField {
  return { text: text.slice(0, from) + text.slice(caret), caret: from };
}

function wordStart(text: string, caret: number): number {
  const head = text.slice(0, caret).trimEnd();
  return Math.max(...[" ", "\n", "\t"].map((blank) => head.lastIndexOf(blank))) + 1;
}

function moveRows(field: TextField, width: number, rows: number): TextField {
  const layout = layoutText(field.text, width);
  const at = rowOf(layout.rows, field.caret);
  const row = layout.rows[at];
  const target = layout.rows[Math.max(0, Math.min(at + rows, layout.rows.length - 1))];
  if (row === undefined || target === undefined || target === row) return field;
  const caret = layout.indexAt(target, layout.cellsTo(row, field.caret));
  // The end of a row that was broken is the start of the next: stay in the row that was meant.
  const broken = caret === target.end && caret > target.start && field.text[caret] !== "\n";
  return { ...field, caret: broken && caret < field.text.length ? before(field.text, caret) : caret };
}

function rowEdge(field: TextField, width: number, edge: "start" | "end"): number {
  const { rows } = layoutText(field.text, width);
  const row = rows[rowOf(rows, field.caret)];
  if (row === undefined) return field.caret;
  const broken = edge === "end" && row.end < field.text.length && field.text[row.end] !== "\n";
  return broken ? before(field.text, row.end) : row[edge];
}

type Edit = (field: TextField, width: number, page: number) => TextField;

/** The keys of writing, the same in every field. Letters and pastes are inserted; these move and erase. */
const EDITS: Readonly<Record<string, Edit>> = {
  backspace: (field) => (field.caret === 0 ? field : erase(field, before(field.text, field.caret))),
  delete: ({ text, caret }) => ({ text: text.slice(0, caret) + text.slice(after(text, caret)), caret }),
  "ctrl-w": (field) => erase(field, wordStart(field.text, field.caret)),
  "ctrl-u": (field) => erase(field, field.text.lastIndexOf("\n", field.caret - 1) + 1),
  left: (field) => ({ ...field, caret: field.caret === 0 ? 0 : before(field.text, field.caret) }),
  right: (field) => ({ ...field, caret: after(field.text, field.caret) }),
  up: (field, width) => moveRows(field, width, -1),
  down: (field, width) => moveRows(field, width, 1),
  pageup: (field, width, page) => moveRows(field, width, -page),
  pagedown: (field, width, page) => moveRows(field, width, page),
  home: (field, width) => ({ ...field, caret: rowEdge(field, width, "start") }),
  end: (field, width) => ({ ...field, caret: rowEdge(field, width, "end") }),
};

/**
 * What a key that moves or erases makes of a field; undefined for any other key.
 *
 * @param width cells of a row, as it is drawn
 * @param page rows that a page key goes
 */
export function editField(field: TextField, key: string, width: number, page: number): TextField | undefined {
  return EDITS[key]?.(field, width, page);
}
