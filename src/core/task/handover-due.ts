import { textField } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { isDerived } from "./work-facts.ts";

/** Events that somebody meant, other than a handover itself. */
const AUTHORED: ReadonlySet<string> = new Set([
  "task.started",
  "task.finished",
  "task.checkpoint",
  "decision.recorded",
  "question.opened",
  "question.resolved",
]);

/** What the working copy says beside the ledger. */
export interface WorkedOn {
  /** HEAD, `NONE` before the first commit; undefined where nobody can tell. */
  head: string | undefined;
  /** HEAD when the episode opened. */
  startHead: string;
  /** Paths that differ from HEAD now. */
  changed: readonly string[];
  /**
   * Paths that differed when the episode's last handover was written, or, where it has none, the one that
   * resolves here: an idle episode owes nothing for what it found. Undefined where there is none.
   */
  changedThen: () => readonly string[] | undefined;
  /**
   * Whether one of these paths was touched since that handover was written, and since the episode opened. Names
   * alone do not tell: who goes on with a file that differed already changes no name.
   */
  touchedSince: (paths: readonly string[]) => boolean;
}

/** The path of the last handover that these lines name. */
export function lastHandoverPath(lines: readonly LedgerLine[]): string | undefined {
  const line = lines.findLast(({ event }) => event === "task.handed_over");
  return line && textField(line, "handover_path");
}

/** Whether somebody recorded something on purpose after the last handover. Receipts and derived records do not count. */
export function hasAuthoredSince(lines: readonly LedgerLine[]): boolean {
  const last = lines.findLastIndex(({ event }) => event === "task.handed_over");
  return lines.slice(last + 1).some(isAuthored);
}

function isAuthored(line: LedgerLine): boolean {
  return AUTHORED.has(line.event) && !isDerived(line);
}

/** Whether something was recorded on purpose, or HEAD moved, after these lines last had something derived from them. */
export function wentOnSinceDerived(lines: readonly LedgerLine[], head: string): boolean {
  const last = lines.findLastIndex(
    (line) => line.event === "knowledge.derived" || (line.event === "task.checkpoint" && isDerived(line)),
  );
  return lines[last]?.head !== head || lines.slice(last + 1).some(isAuthored);
}

/**
 * Whether an episode that ends owes a handover (decisions.md 1.4): since its last one it has an authored event,
 * a commit, or changed files.
 *
 * @param lines the episode's own lines, in ledger order.
 */
export function handoverIsDue(lines: readonly LedgerLine[], worked: WorkedOn): boolean {
  if (hasAuthoredSince(lines)) return true;
  const last = lines.findLast(({ event }) => event === "task.handed_over");
  const before = last?.head ?? worked.startHead;
  if (worked.head !== undefined && worked.head !== before) return true;
  const then = worked.changedThen();
  if (then === undefined) return worked.changed.length > 0;
  // What an earlier episode handed over may have been put right between the two: only its times tell who did it.
  const judgesNames = last !== undefined || worked.changed.length > 0;
  if (judgesNames && !sameList(then, worked.changed)) return true;
  return worked.touchedSince([...new Set([...then, ...worked.changed])]);
}

/**
 * Whether an episode that lost its worker owes one: an authored event since the last, or, when it never had
 * one, a commit or changed files. Others may have moved HEAD since, so a second one is written for authored
 * events alone.
 */
export function lostHandoverIsDue(lines: readonly LedgerLine[], worked: WorkedOn): boolean {
  if (lastHandoverPath(lines) !== undefined) return hasAuthoredSince(lines);
  return handoverIsDue(lines, worked);
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
