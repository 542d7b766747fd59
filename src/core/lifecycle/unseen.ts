import { END_EVENTS } from "../journal/event-kinds.ts";
import type { JournalEntry } from "../journal/event-journal.ts";
import type { WorkerState } from "../labels/terms.ts";

const TURN_ENDS: ReadonlySet<string> = new Set(["Stop", "StopFailure", "AfterAgent", "agentStop", "stop"]);
const PROMPTS: ReadonlySet<string> = new Set(["UserPromptSubmit", "BeforeAgent", "userPromptSubmitted"]);
const BEFORE_COMPACTION: ReadonlySet<string> = new Set(["PreCompact", "preCompact"]);

/**
 * Provider events of one session that should have come and never did (decisions.md 4): a prompt whose turn
 * never ended before the next, a compaction that nobody announced, a worker gone without an end.
 *
 * @param receipts the worktree's event journal, oldest first
 */
export function unseenEvents(
  receipts: readonly JournalEntry[],
  provider: string,
  rawId: string,
  worker: WorkerState,
): string[] {
  let openPrompt = false;
  let announced = false;
  let missedEnds = 0;
  let missedCompactions = 0;
  let ended = false;
  for (const receipt of receipts) {
    if (receipt.phase !== "received" || receipt.provider !== provider || receipt.session !== rawId) continue;
    if (PROMPTS.has(receipt.event)) {
      if (openPrompt) missedEnds += 1;
      openPrompt = true;
    } else if (TURN_ENDS.has(receipt.event)) openPrompt = false;
    else if (BEFORE_COMPACTION.has(receipt.event)) announced = true;
    else if (receipt.source === "compact") {
      if (!announced) missedCompactions += 1;
      announced = false;
    } else if (END_EVENTS.has(receipt.event)) ended = true;
  }
  const unseen: string[] = [];
  if (missedEnds > 0) unseen.push(`the end of ${missedEnds} turn(s)`);
  if (missedCompactions > 0) unseen.push(`the announcement of ${missedCompactions} compaction(s)`);
  if (worker === "gone" && !ended) unseen.push("the end of the session");
  return unseen;
}
