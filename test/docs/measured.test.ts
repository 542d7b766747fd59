import { expect, test } from "vitest";
import { FAULTS, KILLED } from "../fault/support/faults.ts";
import { ALL_OPERATIONS } from "../fault/support/operations.ts";
import { FAULT_TABLE, readMeasured } from "../support/measured.ts";

const NAMES = [KILLED, ...FAULTS.map(({ fault }) => fault)];
const ROWS = ALL_OPERATIONS.flatMap(({ name }) => NAMES.map((fault) => `${name}: ${fault}`));

test("the table of faults says of known operations and faults alone that nothing was lost", () => {
  for (const [operation = "", fault = "", ...counts] of readMeasured(FAULT_TABLE)) {
    const [points = 0, atOnce = 0, afterNext = 0, lost] = counts.map(Number);
    expect(ROWS).toContain(`${operation}: ${fault}`);
    expect(points).toBeGreaterThan(0);
    expect(atOnce + afterNext).toBe(points);
    expect(lost).toBe(0);
  }
});
