import { quote } from "./briefing-width.ts";
import type { Width } from "./briefing-width.ts";

interface QueuedTitle {
  id: string;
  title: string;
}

/** The review queue as a briefing tells of it: candidates of this branch, and those that nobody can place. */
export interface BriefedQueue {
  here: readonly QueuedTitle[];
  /** Their episode is not known in this checkout, so neither is their branch. */
  unattributed: readonly QueuedTitle[];
}

const SHOWN = 5;

function listed(candidates: readonly QueuedTitle[], width: Width): string[] {
  const rest = candidates.length - SHOWN;
  return [
    ...candidates.slice(0, SHOWN).map(({ id, title }) => quote(`- ${id}  ${title}`, width.line)),
    ...(rest > 0 ? [`  ... and ${rest} more candidate(s)`] : []),
  ];
}

/** The queue's lines; none where the queue was not looked at (records.md 10, item 7). */
export function knowledgeLines(queue: BriefedQueue | undefined, width: Width): string[] {
  if (queue === undefined) return [];
  const { here, unattributed } = queue;
  const own =
    here.length === 0
      ? ["No knowledge candidate awaits review on this branch."]
      : [`Knowledge candidates awaiting review on this branch: ${here.length}`, ...listed(here, width)];
  if (unattributed.length === 0) return own;
  return [
    ...own,
    `${unattributed.length} candidate(s) whose episode is not known in this checkout:`,
    ...listed(unattributed, width),
  ];
}
