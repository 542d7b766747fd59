import type { Slices } from "../slices.ts";

/** What a detail is drawn with beside its row. */
export interface DetailContext {
  width: number;
  /** The rows that are in sight; undefined where all are. */
  height?: number;
  now: number;
  home: string | undefined;
  /** The row's repository. */
  root: string;
  /** Everything that is known about that repository. */
  slices: Slices | undefined;
}
