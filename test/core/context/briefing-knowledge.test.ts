import { describe, expect, it } from "vitest";
import { knowledgeLines } from "../../../src/core/context/briefing-knowledge.ts";
import { GENEROUS } from "../../../src/core/context/briefing-width.ts";

const queue = (count: number): { id: string; title: string }[] =>
  Array.from({ length: count }, (_, number) => ({ id: `s-${number}`, title: `Title ${number}` }));

describe("the queue in a briefing", () => {
  it("is not mentioned where nobody looked at it", () => {
    expect(knowledgeLines(undefined, GENEROUS)).toEqual([]);
  });

  it("says that there is nothing, or names five and counts the rest", () => {
    expect(knowledgeLines({ here: [], unattributed: [] }, GENEROUS)).toEqual([
      "No knowledge candidate awaits review on this branch.",
    ]);
    expect(knowledgeLines({ here: queue(7), unattributed: [] }, GENEROUS)).toEqual([
      "Knowledge candidates awaiting review on this branch: 7",
      ...queue(5).map(({ id, title }) => `  - ${id}  ${title}`),
      "  ... and 2 more candidate(s)",
    ]);
  });

  it("names what nobody can place apart, each as one safe line", () => {
    const lines = knowledgeLines(
      { here: queue(1), unattributed: [{ id: "s-x", title: `a\u202eb\n${"x".repeat(5000)}` }] },
      GENEROUS,
    );
    expect(lines[2]).toBe("1 candidate(s) whose episode is not known in this checkout:");
    expect(lines[3]).toMatch(/^ {2}- s-x {2}a\\u\{202e\}b␊x+…?$/);
    expect(Buffer.byteLength(lines[3] ?? "")).toBeLessThan(260);
    expect(lines).toHaveLength(4);
  });
});
