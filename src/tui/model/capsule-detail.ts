import type { CapsuleValues } from "../../core/capsule/answers.ts";
import { parseStamp } from "../../core/capsule/stamp.ts";
import { clipCells, widthOf } from "../cells.ts";
import { ageSince } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { boundedFact, fact, factList, excerptLines } from "./facts.ts";
import { show, span } from "./line.ts";
import type { Line, Tone } from "./line.ts";
import { shortPath } from "./names.ts";
import type { RowOf } from "./rows.ts";

/** The age of a capsule by its own stamp; empty for one that cannot be read. */
export function capsuleAge(stamp: string | undefined, now: number): string {
  const then = stamp === undefined ? undefined : parseStamp(stamp);
  return then === undefined ? "" : ageSince(then, now);
}

/** What a capsule is called: by its id, and by its file's name where it has none. */
export function capsuleName({ id, name }: { id?: string | undefined; name: string }): string {
  return id === undefined || id.trim() === "" ? name : id;
}

/** `status-not-active (draft)`: the verdict with what decided it. */
export function verdictText({ verdict, detail }: RowOf<"capsule">["file"]): string {
  return detail === undefined ? verdict : `${verdict} (${detail})`;
}

/** How a capsule came to be. */
export function originText(file: { autosave?: boolean | undefined; captured?: string | undefined }): string {
  if (file.autosave === undefined) return "";
  if (!file.autosave) return "curated";
  return file.captured === undefined || file.captured === "" ? "autosave" : `autosave, ${file.captured}`;
}

/** Name and verdict on one row; the name gives way, and of a verdict's own words there is at least the beginning. */
function heading(name: string, verdict: string, width: number, tone: Tone): Line {
  const told = clipCells(show(verdict), Math.floor(width / 2));
  return [span(clipCells(show(name), width - widthOf(told) - 2), "plain", true), span(`  ${told}`, tone)];
}

/** How many rows a long value may take, the widest first. */
const VALUE_ROWS = [6, 4, 3, 2, 1] as const;

/** What a person looks for first, every part of it in sight: where there is little room, long values give way to it. */
function firstLines(row: RowOf<"capsule">, known: CapsuleValues | undefined, context: DetailContext): Line[] {
  const { file } = row;
  const { width, now, height = Number.POSITIVE_INFINITY } = context;
  const selected = file.verdict === "selected";
  const tone = selected ? "good" : file.ordinary ? "muted" : "warn";
  const created = [file.created_at, capsuleAge(file.created_at, now)].filter(Boolean).join("  ");
  const lines = (rows: number): Line[] => [
    heading(capsuleName(file), verdictText(file), width, tone),
    ...(selected && known?.stale === true ? [[span("It is stale: read it as history.", "warn")]] : []),
    ...(known?.placeholder === true ? [[span("A placeholder: nobody has written into it.", "warn")]] : []),
    ...fact("decided by", file.field, width, tone),
    ...boundedFact("objective", known?.objective ?? file.objective, width, { rows }),
    ...boundedFact("waiting on", known?.waiting_on, width, { rows }),
    ...boundedFact("next", known?.next_valid_action, width, { rows, tone: "accent" }),
    ...boundedFact("status", known?.status ?? file.status, width, { rows: 1 }),
    ...boundedFact("created", created, width, { rows: 1 }),
  ];
  for (const rows of VALUE_ROWS) {
    const fitting = lines(rows);
    if (fitting.length <= height) return fitting;
  }
  return lines(1);
}

/** A capsule: what the selector says of it and why, its values, and its text as soon as it was read. */
export function capsuleDetail(row: RowOf<"capsule">, context: DetailContext): readonly Line[] {
  const { file, values } = row;
  const { width, home, slices } = context;
  const answer = slices?.capsule.data;
  const shown = answer?.capsule.name === file.name ? answer : undefined;
  const known = shown?.capsule ?? values;
  return [
    ...firstLines(row, known, context),
    ...boundedFact("updated", known?.updated_at, width, { rows: 1 }),
    ...boundedFact("kind", originText(file), width, { rows: 1 }),
    ...(known?.problems ?? []).flatMap((problem, index) =>
      boundedFact(index === 0 ? "problem" : "", problem, width, { rows: 4, tone: "bad" }),
    ),
    ...factList("lacks", shown?.framing, width, "warn"),
    ...fact("file", known === undefined ? file.name : shortPath(known.path, home), width, "muted"),
    ...(shown === undefined ? [] : [[], ...excerptLines(shown.text.trim(), width)]),
  ];
}
