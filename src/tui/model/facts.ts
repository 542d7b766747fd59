import { inertLines } from "../../core/text/inert.ts";
import { wrapCells } from "../cells.ts";
import { show, span } from "./line.ts";
import type { Line, Span, Tone } from "./line.ts";
import { grouped } from "./numbers.ts";

const LABEL_WIDTH = 12;

/** A labelled value; a longer one goes on below itself. Nothing, where there is no value. */
export function fact(label: string, value: string | undefined, width: number, tone?: Tone): readonly Line[] {
  if (value === undefined || value === "") return [];
  return wrapCells(show(value), Math.max(8, width - LABEL_WIDTH)).map((piece, index): Span[] => [
    span((index === 0 ? label : "").padEnd(LABEL_WIDTH), "muted"),
    span(piece, tone),
  ]);
}

/** What a resume procedure quotes of a value. */
const VALUE_CHARACTERS = 500;

/**
 * A labelled value of any length, as far as a few rows and the procedure's own bound take it; what was left out is
 * counted in characters. A field that somebody made long must not push the next one off the screen.
 */
export function boundedFact(
  label: string,
  value: string | undefined,
  width: number,
  { rows, tone }: { rows: number; tone?: Tone },
): readonly Line[] {
  const characters = Array.from(value ?? "");
  const most = Math.min(characters.length, VALUE_CHARACTERS, rows * width);
  for (let kept = most; ; kept = Math.floor(kept * 0.9)) {
    const left = characters.length - kept;
    const note = left === 0 ? "" : `…[+${left} chars]`;
    const lines = fact(label, `${characters.slice(0, kept).join("")}${note}`, width, tone);
    if (lines.length <= rows || kept === 0) return lines;
  }
}

/** A labelled list, one item a line. */
export function factList(
  label: string,
  values: readonly string[] | undefined,
  width: number,
  tone?: Tone,
): readonly Line[] {
  return (values ?? []).flatMap((value, index) => fact(index === 0 ? label : "", value, width, tone));
}

/** Something that is said, as data: under a label, or a text of several lines that takes the whole width. */
export interface Fact {
  label?: string;
  text: string;
  tone?: Tone;
}

/** A text in its own lines. A tab is shown as blanks: it is layout here, not content. */
export function textLines(text: string, width: number, tone?: Tone): readonly Line[] {
  return inertLines(text.replaceAll("\t", "    ")).flatMap((line) =>
    wrapCells(show(line), width).map((piece): Line => [span(piece, tone)]),
  );
}

/** More of a text than a detail beside its list can show; the whole of it is one key away. */
const EXCERPT = 8 * 1024;

/** The beginning of a text that may be very long, and how much more there is. */
export function excerptLines(text: string, width: number): readonly Line[] {
  if (text.length <= EXCERPT) return textLines(text, width);
  const cut = text.lastIndexOf("\n", EXCERPT);
  const head = text.slice(0, cut > 0 ? cut : EXCERPT);
  const rest = `… ${grouped(text.length - head.length)} more characters; Enter shows them`;
  return [...textLines(head, width), [span(rest, "muted")]];
}

/** Facts as lines. */
export function factLines(facts: readonly Fact[], width: number): readonly Line[] {
  return facts.flatMap(({ label, text, tone }) =>
    label === undefined ? textLines(text, width, tone) : fact(label, text, width, tone),
  );
}
