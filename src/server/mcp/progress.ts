import type { Progress } from "../../core/capabilities/capability.ts";

/** How a client recognises what is told of its call. */
export type ProgressToken = string | number;

/** A notification about a call that is under way. */
export interface ProgressNotification {
  method: "notifications/progress";
  params: { progressToken: ProgressToken; progress: number; total?: number; message: string };
}

/** Tells a client how far its call is. */
export interface ProgressReport {
  tell: (progress: Progress) => void;
  /** The answer is there: nothing is told after it. */
  end: () => void;
}

/** Makes the report of one call. The protocol wants each number to be greater than the last: others are not sent. */
export function createProgressReport(
  progressToken: ProgressToken,
  notify: (notification: ProgressNotification) => Promise<void>,
): ProgressReport {
  let last = Number.NEGATIVE_INFINITY;
  return {
    tell: ({ done, total, what }) => {
      if (done <= last) return;
      last = done;
      const params = {
        progressToken,
        progress: done,
        message: what,
        ...(total === undefined ? {} : { total }),
      };
      // A client that went away hears of its call in no other way either.
      notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
    end: () => {
      last = Number.POSITIVE_INFINITY;
    },
  };
}
