import { minutesBetween, parseDuration, parseTimestamp, spanText } from "../../base/time.ts";
import type { Finding } from "../../labels/terms.ts";
import type { Task } from "../../records/task.ts";
import { judgement } from "../judgement.ts";

const REPRODUCE = "majordomus checkpoint --list";

/**
 * Judges the age of a task's last checkpoint, or of its start where it has none, against the interval.
 *
 * @param interval a policy duration.
 */
export function judgeCheckpoint(
  level: "WARN" | "DRIFT",
  task: Pick<Task, "id" | "checkpoint_at" | "started_at">,
  interval: string,
  now: number,
): Finding {
  const judge = (found: Finding["level"], message: string): Finding =>
    judgement(found, "checkpoint", task.id, message, found === "OK" ? undefined : REPRODUCE);
  const what = task.checkpoint_at === "" ? "the start" : "the last checkpoint";
  const at = parseTimestamp(task.checkpoint_at === "" ? task.started_at : task.checkpoint_at);
  if (at === undefined) return judge(level, `${what} bears no time that can be read`);
  const minutes = minutesBetween(at, now);
  if (minutes < 0) return judge(level, `${what} lies ${spanText(-minutes)} in the future`);
  const allowed = parseDuration(interval);
  const due = allowed !== undefined && now - at >= allowed;
  if (due) return judge(level, `${what} is ${spanText(minutes)} old, the interval is ${interval}`);
  return judge("OK", `${what} is ${spanText(minutes)} old, within ${interval}`);
}
