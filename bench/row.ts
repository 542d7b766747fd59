import type { Figure } from "./measure.ts";

/** One line of the table: a bar of the project, what was measured, and whether it was reached. */
export interface Row {
  bench: string;
  bar: string;
  /** The goal in words: `<= 1.15x bare Node`. */
  goal: string;
  measured: string;
  reached: boolean;
  ours?: Figure;
  reference?: Figure;
}

export interface Bench {
  name: string;
  /** Rows as they are measured. */
  run: () => Iterable<Row> | AsyncIterable<Row>;
}

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

export function describeFigure(figure: Figure): string {
  return `median ${round(figure.median)} ms, min ${round(figure.minimum)}, p90 ${round(figure.p90)}`;
}

/** A row whose bar is a ratio of medians. */
export function ratioRow(
  bench: string,
  bar: string,
  limit: number,
  result: { ours: Figure; reference: Figure; ratio: number },
): Row {
  return {
    bench,
    bar,
    goal: `<= ${limit}x`,
    measured: `${result.ratio.toFixed(2)}x (${describeFigure(result.ours)}; reference ${round(result.reference.median)} ms)`,
    reached: result.ratio <= limit,
    ours: result.ours,
    reference: result.reference,
  };
}
