import { wrapCells } from "../cells.ts";
import { show, span } from "./line.ts";
import type { Line, Span, Tone } from "./line.ts";

const LABEL_WIDTH = 12;

/** A labelled value; a longer one goes on below itself. Nothing, where there is no value. */
export function fact(label: string, value: string | undefined, width: number, tone?: Tone): readonly Line[] {
  if (value === undefined || value === "") return [];
  return wrapCells(show(value), Math.max(8, width - LABEL_WIDTH)).map((piece, index): Span[] => [
    span((index === 0 ? label : "").padEnd(LABEL_WIDTH), "muted"),
    span(piece, tone),
  ]);
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
