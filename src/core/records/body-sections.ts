/** The sections of a handover that git, the ledger and the stores can fill by themselves (records.md 9.1). */
export const DERIVED_SECTIONS = [
  "Objective",
  "Current State",
  "Next Action",
  "Decisions",
  "Open Questions",
  "Verification",
] as const;
export type DerivedSection = (typeof DERIVED_SECTIONS)[number];

/** A level-one section of a record's body: its name and the lines under it. */
interface BodySection {
  name: string;
  start: number;
  end: number;
}

const HEADING = /^# +(.+?)\s*$/;
const FENCE = /^ {0,3}(```|~~~)/;
const PLACEHOLDER = /^\s*<.*>\s*$/;

/** Lines inside fenced blocks that are closed: a `# comment` of a shell is no heading. */
function fencedLines(lines: readonly string[]): Set<number> {
  const fenced = new Set<number>();
  let opened: { mark: string; at: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (opened === undefined) opened = { mark, at: index };
    else if (opened.mark === mark) {
      for (let inside = opened.at; inside <= index; inside += 1) fenced.add(inside);
      opened = undefined;
    }
  }
  return fenced;
}

function sectionsOf(lines: readonly string[]): BodySection[] {
  const fenced = fencedLines(lines);
  const sections: BodySection[] = [];
  for (const [index, line] of lines.entries()) {
    const name = fenced.has(index) ? undefined : HEADING.exec(line)?.[1];
    if (name === undefined) continue;
    const before = sections.at(-1);
    if (before !== undefined) before.end = index;
    sections.push({ name, start: index, end: lines.length });
  }
  return sections;
}

function linesOf(body: string): string[] {
  return body.split(/\r?\n/);
}

function withoutOuterBlanks(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** The lines under `# <name>`, outer blank ones trimmed; undefined where there is no such section. */
export function sectionLines(body: string, name: string): string[] | undefined {
  const lines = linesOf(body);
  const section = sectionsOf(lines).find((candidate) => candidate.name === name);
  return section && withoutOuterBlanks(lines.slice(section.start + 1, section.end));
}

/**
 * Which of these sections a body lacks, in their order (records.md 8.3): a section counts when some line
 * under one of its headings says something and is not wholly a `<placeholder>`.
 */
export function missingSections(body: string, required: readonly string[]): string[] {
  const lines = linesOf(body);
  const filled = new Set(
    sectionsOf(lines)
      .filter(({ start, end }) =>
        lines.slice(start + 1, end).some((line) => line.trim() !== "" && !PLACEHOLDER.test(line)),
      )
      .map(({ name }) => name),
  );
  return required.filter((name) => !filled.has(name));
}

/** The body's lines without the section of this name, outer blank lines trimmed. */
export function withoutSection(body: string, name: string): string[] {
  const lines = linesOf(body);
  const cut = sectionsOf(lines).filter((section) => section.name === name);
  return withoutOuterBlanks(
    lines.filter((_, index) => !cut.some(({ start, end }) => index >= start && index < end)),
  );
}
