import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withLock } from "../../src/core/fs/lock.ts";
import { FULL } from "./full.ts";

const ROOT = dirname(dirname(import.meta.dirname));

/** A table that a full run writes into a page of `docs/`, and the columns that tell its rows apart. */
export interface MeasuredTable {
  page: string;
  name: string;
  columns: readonly string[];
  /** How many of the first columns name a row. */
  keys: number;
}

/** Every disk operation that was made to fail, and what came of it. */
export const FAULT_TABLE: MeasuredTable = {
  page: "durability.md",
  name: "faults",
  columns: ["Operation", "Fault", "Points", "Whole at once", "Whole after the next", "Lost"],
  keys: 2,
};

/** The sizes that were run. */
export const LIMITS_TABLE: MeasuredTable = {
  page: "limits.md",
  name: "sizes",
  columns: ["What", "Size", "Outcome"],
  keys: 1,
};

type Row = readonly string[];

function marks({ name }: MeasuredTable): { begin: string; end: string } {
  return { begin: `<!-- written by the full run: ${name} -->`, end: `<!-- end of ${name} -->` };
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The page before, in and after the table's section. */
function sectionOf(table: MeasuredTable): { before: string; rows: Row[]; after: string } {
  const page = readFileSync(join(ROOT, "docs", table.page), "utf8");
  const { begin, end } = marks(table);
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/${table.page} has no section ${table.name}`);
  const lines = page
    .slice(from + begin.length, to)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return {
    before: page.slice(0, from + begin.length),
    rows: lines.slice(2).map(cellsOf),
    after: page.slice(to),
  };
}

/** The rows that stand in the page now. */
export function readMeasured(table: MeasuredTable): Row[] {
  return sectionOf(table).rows;
}

/** As the formatter of this repository lays tables out. */
function drawTable(columns: Row, rows: readonly Row[]): string {
  const widths = columns.map((column, index) =>
    Math.max(3, column.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const draw = (cells: Row): string =>
    `| ${widths.map((width, index) => (cells[index] ?? "").padEnd(width)).join(" | ")} |`;
  return [
    draw(columns),
    `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`,
    ...rows.map(draw),
  ].join("\n");
}

/** Writes a row that this run measured into its page, in the place of an earlier run's; a sampled run writes nothing. */
export function writeMeasured(table: MeasuredTable, row: Row): void {
  if (!FULL) return;
  const keyOf = (cells: Row): string => cells.slice(0, table.keys).join(" | ");
  // Test files run side by side.
  const name = createHash("sha256").update(ROOT).digest("hex").slice(0, 16);
  withLock(join(tmpdir(), `majordomus-docs-${name}`), { waitMilliseconds: 20_000 }, () => {
    const { before, rows, after } = sectionOf(table);
    const others = rows.filter((cells) => keyOf(cells) !== keyOf(row));
    const all = [...others, row].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    writeFileSync(
      join(ROOT, "docs", table.page),
      `${before}\n\n${drawTable(table.columns, all)}\n\n${after}`,
    );
  });
}
