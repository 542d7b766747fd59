import { formatTimestamp } from "../base/time.ts";

/** One section of the context document; the lines are final and safe to show. */
export interface Section {
  id: string;
  heading: string;
  lines: readonly string[];
  /** Dropped while over budget, lowest first; a section without a rank is never dropped (records.md 11). */
  dropRank?: number;
}

/** Something that was left out, and why: an under-filled context is understood by reading these. */
export interface Exclusion {
  item: string;
  reason: string;
}

export interface ContextDocument {
  text: string;
  /** Lines of the text, its own header, trailer and the budget line included. */
  lines: number;
  limit: number;
  dropped: string[];
  sections: { id: string; lines: number; text: string }[];
  excluded: Exclusion[];
  overBudget: boolean;
}

const ITEM_NAMES: Readonly<Record<string, string>> = { "recent-history": "history" };

function render(
  now: number,
  sections: readonly Section[],
  excluded: readonly Exclusion[],
  budget: string,
): string[] {
  const lines = [
    `# Majordomus context — ${formatTimestamp(now)}`,
    "# a projection of durable state; nothing here is kept, everything is read again each time",
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
 * rank goes and is named under EXCLUDED; the count in the last line is the count of the text itself.
 */
export function assembleContext(
  now: number,
  sections: readonly Section[],
  exclusions: readonly Exclusion[],
  limit: number,
): ContextDocument {
  const kept = [...sections];
  const excluded = [...exclusions];
  const dropped: string[] = [];
  const count = (): number => render(now, kept, excluded, "").length;
  const droppable = sections
    .filter((section) => section.dropRank !== undefined)
    .toSorted((a, b) => (a.dropRank ?? 0) - (b.dropRank ?? 0));
  for (const section of droppable) {
    if (count() <= limit) break;
    kept.splice(kept.indexOf(section), 1);
    const name = ITEM_NAMES[section.id] ?? section.id;
    dropped.push(name);
    excluded.push({ item: name, reason: `dropped for the budget of ${limit} lines` });
  }
  const lines = count();
  const note = dropped.length === 0 ? "" : ` (dropped: ${dropped.join(", ")})`;
  const text = `${render(now, kept, excluded, `${lines} of ${limit} lines${note}`).join("\n")}\n`;
  return {
    text,
    lines,
    limit,
    dropped,
    sections: kept.map(({ id, lines: own }) => ({ id, lines: own.length, text: own.join("\n") })),
    excluded,
    overBudget: lines > limit,
  };
}
