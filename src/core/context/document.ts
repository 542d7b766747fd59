import { formatTimestamp } from "../base/time.ts";

/** One section of the context document; the lines are final and safe to show. */
export interface Section {
  id: string;
  heading: string;
  lines: readonly string[];
  /** Goes while over budget, lowest first; a section without a rank is never touched (records.md 11). */
  dropRank?: number;
  /** What stands in its place when it has to give way, instead of nothing. */
  degraded?: readonly string[];
}

/** Something that was left out, and why: an under-filled context is understood by reading these. */
export interface Exclusion {
  item: string;
  reason: string;
}

export interface ContextDocument {
  generatedAt: string;
  text: string;
  /** Lines of the text, its own header, trailer and the budget line included. */
  lines: number;
  limit: number;
  dropped: string[];
  sections: { id: string; lines: number; text: string }[];
  excluded: Exclusion[];
  overBudget: boolean;
}

interface Frame {
  now: number;
  /** A third line at the top: for whom this was made. */
  provider: string | undefined;
}

function render(
  { now, provider }: Frame,
  sections: readonly Section[],
  excluded: readonly Exclusion[],
  budget: string,
): string[] {
  const lines = [
    `# Majordomus context — ${formatTimestamp(now)}`,
    "# a projection of durable state; nothing here is kept, everything is read again each time",
    ...(provider === undefined ? [] : [provider]),
  ];
  for (const section of sections) lines.push("", `## ${section.heading}`, ...section.lines);
  lines.push("", "## EXCLUDED");
  lines.push(
    ...(excluded.length === 0 ? ["- nothing"] : excluded.map(({ item, reason }) => `- ${item} — ${reason}`)),
  );
  lines.push("", "## BUDGET", budget);
  return lines;
}

/**
 * Assembles the context document within a budget of lines. While it is over, the section of the lowest drop
 * rank goes, or gives way to a pointer, and is named under EXCLUDED; the count in the last line is the count
 * of the text itself.
 *
 * @param provider a third line at the top: for whom this was made.
 */
export function assembleContext(
  now: number,
  sections: readonly Section[],
  exclusions: readonly Exclusion[],
  limit: number,
  provider?: string,
): ContextDocument {
  const frame: Frame = { now, provider };
  const kept = [...sections];
  const excluded = [...exclusions];
  const dropped: string[] = [];
  const count = (): number => render(frame, kept, excluded, "").length;
  const yielding = sections
    .filter((section) => section.dropRank !== undefined)
    .toSorted((a, b) => (a.dropRank ?? 0) - (b.dropRank ?? 0));
  for (const section of yielding) {
    if (count() <= limit) break;
    const { degraded } = section;
    // A pointer as long as the text itself, with one more exclusion to name, would only add lines.
    if (degraded !== undefined && section.lines.length <= degraded.length + 1) continue;
    const name = degraded === undefined ? section.id : `${section.id}-body`;
    const stand = degraded === undefined ? [] : [{ ...section, lines: degraded }];
    kept.splice(kept.indexOf(section), 1, ...stand);
    dropped.push(name);
    excluded.push({ item: name, reason: `dropped for the budget of ${limit} lines` });
  }
  const lines = count();
  const note = dropped.length === 0 ? "" : ` (dropped: ${dropped.join(", ")})`;
  const text = `${render(frame, kept, excluded, `${lines} of ${limit} lines${note}`).join("\n")}\n`;
  return {
    generatedAt: formatTimestamp(now),
    text,
    lines,
    limit,
    dropped,
    sections: kept.map(({ id, lines: own }) => ({ id, lines: own.length, text: own.join("\n") })),
    excluded,
    overBudget: lines > limit,
  };
}
