import { quoteValue } from "./quote.ts";
import { isOrdinary } from "./reasons.ts";
import type { Rejection, RejectionReason } from "./reasons.ts";

const SHOWN_GROUPS = 12;
const SHOWN_NAMES = 3;
const SHOWN_CHARACTERS = 120;

/** Files that were rejected for one reason, by one detail. */
export interface RejectionGroup {
  reason: RejectionReason;
  detail?: string;
  count: number;
  names: string[];
  ordinary: boolean;
}

/** Groups rejections by reason and detail, the largest group first, equal ones in the order of their first name. */
export function groupRejections(rejected: readonly Rejection[]): RejectionGroup[] {
  const groups = new Map<string, RejectionGroup>();
  for (const rejection of rejected) {
    const { name, reason, detail } = rejection;
    // No reason has a blank in it.
    const key = detail === undefined ? reason : `${reason} ${detail}`;
    const group = groups.get(key);
    if (group === undefined) {
      const ordinary = isOrdinary(rejection);
      groups.set(key, {
        reason,
        ...(detail === undefined ? {} : { detail }),
        count: 1,
        names: [name],
        ordinary,
      });
    } else {
      group.count += 1;
      group.names.push(name);
    }
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}

function groupLine({ reason, detail, count, names }: RejectionGroup): string {
  const told = detail === undefined ? "" : ` (${quoteValue(detail, SHOWN_CHARACTERS)})`;
  const shown = names
    .slice(0, count > SHOWN_NAMES ? 1 : SHOWN_NAMES)
    .map((name) => quoteValue(name, SHOWN_CHARACTERS));
  return `${count}x ${reason}${told}: ${count > SHOWN_NAMES ? "e.g. " : ""}${shown.join(", ")}`;
}

/**
 * The rejection ledger in lines, safe to print as they are (capsules.md 3.6): one a group, twelve at most, and
 * a last one for the rest.
 */
export function rejectionLines(rejected: readonly Rejection[]): string[] {
  const groups = groupRejections(rejected);
  const lines = groups.slice(0, SHOWN_GROUPS).map(groupLine);
  const rest = groups.slice(SHOWN_GROUPS);
  const files = rest.reduce((sum, { count }) => sum + count, 0);
  return rest.length === 0 ? lines : [...lines, `${rest.length} more group(s), ${files} file(s), left out`];
}

/** The rejection ledger as counts of reasons alone: always short, and still adding up. */
export function rejectionCounts(rejected: readonly Pick<Rejection, "reason">[]): string {
  const counts = new Map<RejectionReason, number>();
  for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count}x ${reason}`)
    .join(", ");
}
