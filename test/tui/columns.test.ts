import { describe, expect, it } from "vitest";
import { arrange } from "../../src/tui/model/columns.ts";
import type { Column } from "../../src/tui/model/columns.ts";
import { span, textOf } from "../../src/tui/model/line.ts";

const COLUMNS: readonly Column[] = [
  { width: 4 },
  { width: 6, grow: true },
  { width: 5, from: 24 },
  { width: 3, align: "right" },
];

function laidOut(texts: readonly string[], width: number): string {
  return textOf(
    arrange(
      COLUMNS,
      texts.map((text) => span(text)),
      width,
    ),
  );
}

describe("the columns of a row", () => {
  it("are as wide as they say, and the growing one takes the rest", () => {
    expect(laidOut(["task", "a long enough title", "id", "3h"], 24)).toBe("task a long e… id     3h");
    expect(laidOut(["task", "a long enough title", "id", "3h"], 20)).toBe("task a long eno…  3h");
  });

  it("give their room to the growing one where this row has nothing to say in them", () => {
    expect(laidOut(["task", "a long enough title", "", ""], 25)).toBe("task a long enough title ");
    expect(laidOut(["task", "a long enough title", "", "3h"], 24)).toBe("task a long enough …  3h");
    expect(laidOut(["task", "", "", "3h"], 24)).toBe("task                  3h");
  });
});
