import { expect, test } from "vitest";
import { FAULT_TABLE, readMeasured } from "../support/measured.ts";
import { FAULTS, KILLED } from "./support/faults.ts";
import { ALL_OPERATIONS } from "./support/operations.ts";

const EXPECTED = ALL_OPERATIONS.flatMap(({ name }) =>
  [...FAULTS.map(({ fault }) => fault), KILLED].map((fault) => `${name}: ${fault}`),
).toSorted();

test("the table of faults has a row for every operation and fault, and nothing else", () => {
  const rows = readMeasured(FAULT_TABLE).map(([operation, fault]) => `${operation}: ${fault}`);
  expect(rows.toSorted()).toEqual(EXPECTED);
});

test("every row was tried at more points than a sample has, each whole at once or after the next, none lost", () => {
  for (const [operation, fault, ...figures] of readMeasured(FAULT_TABLE)) {
    const [points = 0, atOnce = 0, afterNext = 0, lost] = figures.map(Number);
    const row = `${operation}: ${fault}`;
    // The sparsest sample of the shortest of them has no dozen.
    expect(points, row).toBeGreaterThan(40);
    expect(atOnce + afterNext, row).toBe(points);
    expect(lost, row).toBe(0);
  }
});

test("a fault meets an operation at as many points as the other faults do: a row that was cut short stands out", () => {
  const rows = readMeasured(FAULT_TABLE);
  for (const { name } of ALL_OPERATIONS) {
    const counts = rows.filter(([operation]) => operation === name).map((cells) => Number(cells[2]));
    // A process of its own opens a file or two less, or finds one more lock than this one.
    expect(Math.min(...counts) / Math.max(...counts), name).toBeGreaterThan(0.8);
  }
});
