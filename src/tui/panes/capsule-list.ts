import { GLYPH } from "../glyphs.ts";
import { capsuleAge, capsuleName, originText, verdictText } from "../model/capsule-detail.ts";
import type { Cell, Column } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { grouped } from "../model/numbers.ts";
import { packParts } from "../model/pack.ts";
import type { Row } from "../model/rows.ts";
import type { Slices } from "../slices.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeHead, arrangeRow } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const WIDE_FROM = 92;
const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 20, middle: true },
  { width: 31 },
  { width: 12, grow: true },
  { width: 10 },
  { width: 8 },
  { width: 4, align: "right" },
];
/** Without the objective: the verdict needs the room. */
const NARROW: readonly Column[] = [
  { width: 1 },
  { width: 14, grow: true, middle: true },
  { width: 18, grow: true, from: 46 },
  { width: 0, from: WIDE_FROM },
  { width: 10, from: 74 },
  { width: 8, from: 62 },
  { width: 4, align: "right", from: 34 },
];

function cellsOf(row: Row, { now }: Drawing): Cell[] {
  if (row.kind !== "capsule") return [];
  const { file } = row;
  const selected = file.verdict === "selected";
  const tone = selected ? "good" : file.ordinary ? "muted" : "warn";
  const symbol = selected ? GLYPH.alive : file.ordinary ? GLYPH.dot : GLYPH.gone;
  return [
    span(symbol, tone),
    span(show(capsuleName(file)), selected ? "plain" : file.ordinary ? "muted" : "plain"),
    span(show(verdictText(file)), tone),
    { ...span(show(file.objective ?? ""), "muted") },
    span(show(file.field ?? ""), file.ordinary ? "muted" : "warn"),
    span(originText({ autosave: file.autosave }), "muted"),
    span(capsuleAge(file.created_at, now), "muted"),
  ];
}

/** Why no capsule can be told of at all. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  "bad-memory-root": "where memory lies cannot be told",
  "no-capsules-dir": "no capsule was ever saved here",
  "capsules-dir-unreadable": "the capsules directory cannot be read",
  "no-capsules-on-disk": "no capsule is saved here",
  "all-candidates-rejected": "none of the capsules can be resumed",
};

function whyNone(state: ConsoleState): string {
  const answers = state.roots.flatMap((root) => state.repositories[root]?.selection.data ?? []);
  const reasons = answers.map(({ unavailable }) => UNAVAILABLE[unavailable ?? ""] ?? "nothing to resume");
  // Several repositories may have the same to say.
  return [...new Set(reasons)].join("; ");
}

type Selection = NonNullable<Slices["selection"]["data"]>;
type Group = Pick<Selection["groups"][number], "reason" | "detail" | "count">;

/** The groups by their reason alone: fewer words, the same sum. */
function withoutDetails(groups: readonly Group[]): Group[] {
  const byReason = new Map<string, Group>();
  for (const { reason, count } of groups) {
    byReason.set(reason, { reason, count: count + (byReason.get(reason)?.count ?? 0) });
  }
  return [...byReason.values()];
}

function groupText({ reason, detail, count }: Group): string {
  const told = detail === undefined ? "" : ` (${show(detail)})`;
  return `+ ${grouped(count)} ${reason}${told}`;
}

/**
 * `31 on disk = 1 selected + 24 already-consumed + 6 …`: the groups add up to what is on disk. Where there is no room
 * for all of them, the smallest are one sum, so that what is seen still adds up.
 */
function sumLines(
  { total, capsule, groups }: Selection,
  width: number,
  most: number,
  detailed: boolean,
): string[] {
  const first = `${grouped(total)} on disk = ${capsule === null ? 0 : 1} selected`;
  const largest = withoutDetails(groups).toSorted((one, other) => other.count - one.count);
  const pack = (shown: readonly Group[], rest: readonly Group[]): string[] => {
    const sum = rest.reduce((count, group) => count + group.count, 0);
    const others = rest.length === 0 ? [] : [`+ ${grouped(sum)} other`];
    return packParts([first, ...shown.map(groupText), ...others], " ", width);
  };
  const whole = detailed ? pack(groups, []) : pack(largest, []);
  if (whole.length <= most) return whole;
  for (let kept = largest.length; kept > 0; kept -= 1) {
    const lines = pack(largest.slice(0, kept), largest.slice(kept));
    if (lines.length <= most) return lines;
  }
  return pack([], largest);
}

function oddityLines({ memory, deferred }: Selection): Line[] {
  const { error, diverted, root } = memory;
  const where = root === undefined ? "" : ` to ${show(root)}`;
  return [
    ...(error === undefined ? [] : [[span(show(error), "bad")]]),
    ...(deferred === undefined
      ? []
      : [[span(`A clear resumes nothing: a conducted cycle is live (${show(deferred)}).`, "warn")]]),
    ...(diverted ? [[span(`AIGENT_STATE_HOME_DIR diverts memory${where}`, "warn")]] : []),
  ];
}

/** @param most so many lines there are at most, for all repositories together. */
function balanceLines(state: ConsoleState, width: number, most: number, detailed: boolean): Line[] {
  const answers = state.roots.flatMap((root) => state.repositories[root]?.selection.data ?? []);
  const oddities = answers.map(oddityLines);
  const left = most - oddities.flat().length;
  const each = Math.max(1, Math.floor(left / Math.max(1, answers.length)));
  return answers.flatMap((answer, index) => [
    ...(oddities[index] ?? []),
    ...(answer.total === 0
      ? []
      : sumLines(answer, width, each, detailed).map((text) => [span(text, "muted")])),
  ]);
}

function resumed(state: ConsoleState): string {
  const answers = state.roots.flatMap((root) => state.repositories[root]?.selection.data ?? []);
  const parts = answers.map(({ capsule, total, deferred }) => {
    const others = total - (capsule === null ? 0 : 1);
    const rest = others > 0 ? ` ${GLYPH.dot} ${grouped(others)} not selected` : "";
    if (capsule === null) return total === 0 ? "none" : `nothing to resume${rest}`;
    const age = capsuleAge(capsule.created_at, state.now);
    const would = deferred === undefined ? "would resume" : "deferred";
    return `${would}${age === "" ? "" : `, ${age}`}, ${capsule.autosave ? "autosave" : "curated"}${rest}`;
  });
  return parts.join(` ${GLYPH.dot} `);
}

function nextLines(state: ConsoleState): Line[] {
  return state.roots.flatMap((root) => {
    const next = state.repositories[root]?.selection.data?.capsule?.next_valid_action ?? "";
    return next === "" ? [] : [[span("next  ", "muted"), span(show(next))]];
  });
}

const SELECTED: readonly Column[] = [{ width: 1 }, { width: 16, middle: true }, { width: 14, grow: true }];

/** The worker's answer: what would be resumed, and how many would not. */
export const CAPSULE: PaneSpec = {
  title: "Capsule",
  slice: "selection",
  counts: (_, state) => resumed(state),
  empty: whyNone,
  row: (row, drawing) => {
    if (row.kind !== "capsule") return [];
    const { file } = row;
    const cells = [
      span(GLYPH.alive, "good"),
      span(show(capsuleName(file))),
      span(show(file.objective ?? ""), "muted"),
    ];
    return arrangeRow(row, SELECTED, cells, drawing);
  },
  foot: (state, width, most) => {
    const next = nextLines(state);
    return [...next, ...balanceLines(state, width, most - next.length, false)];
  },
};

const NAMES = ["", "capsule", "verdict", "objective", "by field", "kind", "age"];

/** Every capsule, the selected one first, then those that somebody should look at. */
export const CAPSULES: PaneSpec = {
  title: "Capsules",
  slice: "capsules",
  also: ["selection"],
  counts: (_, state) => resumed(state),
  empty: whyNone,
  row: (row, drawing) =>
    arrangeRow(row, drawing.width < WIDE_FROM ? NARROW : COLUMNS, cellsOf(row, drawing), drawing),
  head: (drawing) => arrangeHead(drawing.width < WIDE_FROM ? NARROW : COLUMNS, NAMES, drawing),
  foot: (state, width, most) => balanceLines(state, width, most, true),
};
