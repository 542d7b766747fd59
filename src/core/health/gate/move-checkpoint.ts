import { formatTimestamp } from "../../base/time.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { recordEvent } from "../../ledger/record-event.ts";
import { changeTask, taskChangedMeanwhile } from "./change-task.ts";

/**
 * Moves a task's time of the last checkpoint to now and says so in the ledger: the one write of a check.
 *
 * @param session the open episode that the line is stamped with.
 * @returns the new time.
 * @throws MajordomusError 15 when the task is no longer active.
 */
export function moveCheckpoint(checkout: Checkout, id: string, session: string | undefined): string {
  const at = formatTimestamp(checkout.clock.now());
  changeTask(checkout, id, (standing) => {
    if (standing.outcome !== "active") throw taskChangedMeanwhile(id);
    recordEvent(checkout, "task.checkpoint", { task_id: id }, { session });
    return { checkpoint_at: at };
  });
  return at;
}
