import { FAULT_TABLE, writeMeasured } from "../../support/measured.ts";
import type { Trial, Tally } from "./try-points.ts";

/** Writes what a trial came to into the table of faults; nothing is lost, or the trial would have failed. */
export function tellTally({ operation, fault }: Pick<Trial, "operation" | "fault">, tally: Tally): void {
  const { points, wholeAtOnce, wholeAfterNext } = tally;
  writeMeasured(FAULT_TABLE, [
    operation.name,
    fault,
    ...[points, wholeAtOnce, wholeAfterNext, points - wholeAtOnce - wholeAfterNext].map(String),
  ]);
}
