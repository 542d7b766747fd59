import { GLYPH } from "../glyphs.ts";
import { valueOf } from "../form.ts";
import type { Drafts, Form, FormField } from "../form.ts";
import { factLines } from "./facts.ts";
import { span } from "./line.ts";
import type { Line } from "./line.ts";
import { drawnText, layoutText, rowOf } from "./text-layout.ts";

/** Blanks before what is written, and room for the caret at the end of a row. */
const INDENT = 2;
const CARET_CELLS = 1;

/** Cells that a row of a field has in a panel of this width. */
export function fieldWidth(width: number): number {
  return Math.max(8, width - INDENT - CARET_CELLS);
}

/** A form as it is drawn, and the row of it that must be seen. */
export interface DrawnForm {
  lines: readonly Line[];
  row: number;
}

function headOf(field: FormField, active: boolean): Line {
  const mark = active ? span(`${GLYPH.cursor} `, "accent") : span("  ");
  const hint = field.hint === undefined ? [] : [span(`  ${field.hint}`, "muted")];
  return [mark, span(field.label, active ? "accent" : "plain", active), ...hint];
}

function optionLines(field: Extract<FormField, { kind: "choice" }>, value: string, active: boolean): Line[] {
  const longest = Math.max(...field.options.map((option) => option.value.length));
  return field.options.map((option) => {
    const chosen = option.value === value;
    const tone = chosen ? (active ? "accent" : "plain") : "muted";
    return [
      span(" ".repeat(INDENT)),
      span(`${chosen ? GLYPH.alive : GLYPH.elsewhere} `, tone),
      span(option.value.padEnd(longest + 2), tone, chosen),
      span(option.says, "muted"),
    ];
  });
}

function textRows(text: string, caret: number | undefined, width: number): DrawnForm {
  const { rows } = layoutText(text, fieldWidth(width));
  const at = caret === undefined ? -1 : rowOf(rows, caret);
  const lines = rows.map(({ start, end }, index): Line => {
    const indent = span(" ".repeat(INDENT));
    if (caret === undefined || index !== at) return [indent, span(drawnText(text.slice(start, end)))];
    return [
      indent,
      span(drawnText(text.slice(start, caret))),
      span("█", "accent"),
      span(drawnText(text.slice(caret, end))),
    ];
  });
  return { lines, row: Math.max(0, at) };
}

/** Draws a form's fields one below the other, with the caret in the one that is written in. */
export function drawForm(
  form: Form,
  drafts: Drafts,
  { field: active, caret }: { field: number; caret: number },
  width: number,
): DrawnForm {
  const lines: Line[] = [...factLines(form.intro, width)];
  if (lines.length > 0) lines.push([]);
  let row = 0;
  for (const [index, field] of form.fields.entries()) {
    const focused = index === active;
    const value = valueOf(form, drafts, field);
    if (focused) row = lines.length;
    lines.push(headOf(field, focused));
    if (field.kind === "choice") lines.push(...optionLines(field, value, focused));
    else {
      const drawn = textRows(value, focused ? caret : undefined, width);
      if (focused) row = lines.length + drawn.row;
      lines.push(...drawn.lines);
    }
    lines.push([]);
  }
  return { lines, row };
}
