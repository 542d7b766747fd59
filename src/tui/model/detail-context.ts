import type { HistoryAnswer } from "../../core/ledger/answers.ts";

/** What a detail is drawn with beside its row. */
export interface DetailContext {
  width: number;
  now: number;
  home: string | undefined;
  /** The row's repository. */
  root: string;
  /** The ledger as far as it is at hand, for the timeline. */
  history: HistoryAnswer | undefined;
}
