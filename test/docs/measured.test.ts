import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FAULTS, KILLED } from "../fault/support/faults.ts";
import { ALL_OPERATIONS } from "../fault/support/operations.ts";
import { FAULT_TABLE, readMeasured } from "../support/measured.ts";

const NAMES = [KILLED, ...FAULTS.map(({ fault }) => fault)];
const ROWS = ALL_OPERATIONS.flatMap(({ name }) => NAMES.map((fault) => `${name}: ${fault}`));

/** What the page says as long as something was tried at a sample of its points only. */
const SAMPLED = "An operation or a fault without a row was tried at a sample of its points only, so far.";

/** The sparsest samples have a dozen points, the shortest operation has some fifty. */
const MORE_THAN_A_SAMPLE = 40;

function page(): string {
  const root = dirname(dirname(import.meta.dirname));
  return readFileSync(join(root, "docs", FAULT_TABLE.page), "utf8").replaceAll("\n", " ");
}

test("the table of faults says of known operations and faults alone that nothing was lost", () => {
  for (const [operation = "", fault = "", ...counts] of readMeasured(FAULT_TABLE)) {
    const [points = 0, atOnce = 0, afterNext = 0, lost] = counts.map(Number);
    expect(ROWS).toContain(`${operation}: ${fault}`);
    expect(points, `${operation}: ${fault}`).toBeGreaterThan(MORE_THAN_A_SAMPLE);
    expect(atOnce + afterNext).toBe(points);
    expect(lost).toBe(0);
  }
});

test("the table of faults has a row for every operation and fault, or the page says that it has not", () => {
  const rows = new Set(readMeasured(FAULT_TABLE).map(([operation, fault]) => `${operation}: ${fault}`));
  const missing = ROWS.filter((row) => !rows.has(row));
  expect({ missing, saysSo: page().includes(SAMPLED) }).toEqual({ missing, saysSo: missing.length > 0 });
});

test("a fault meets an operation at as many points as the others do: a row that was cut short stands out", () => {
  const uneven = ALL_OPERATIONS.filter(({ name }) => {
    const rows = readMeasured(FAULT_TABLE).filter(([operation]) => operation === name);
    const counts = rows.map((cells) => Number(cells[2]));
    // A process of its own makes fewer operations than this one, which loads nothing from a kept form.
    return Math.min(...counts) < 0.7 * Math.max(...counts);
  });
  expect(uneven.map(({ name }) => name)).toEqual([]);
});
