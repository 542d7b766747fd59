import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleContext } from "../../../src/core/context/document.ts";
import type { Section } from "../../../src/core/context/document.ts";

const NOW = Date.parse("2026-09-04T12:00:00Z");

const GIT: Section = { id: "git", heading: "GIT", lines: ["branch       main"] };
const long = (id: string, count: number, dropRank: number): Section => ({
  id,
  heading: id.toUpperCase(),
  lines: Array.from({ length: count }, (_, number) => `- ${number}`),
  dropRank,
});

describe("assembleContext", () => {
  it("reports the count of the text that it prints, header and trailer included", () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), fc.integer({ min: 8, max: 60 }), (first, second, limit) => {
        const document = assembleContext(
          NOW,
          [GIT, long("history", first, 1), long("files", second, 2)],
          [],
          limit,
        );
        const printed = document.text.replace(/\n$/, "").split("\n");
        expect(printed).toHaveLength(document.lines);
        expect(printed.at(-1)).toContain(`${document.lines} of ${limit} lines`);
      }),
    );
  });

  it("drops in the fixed order, and only as much as it must", () => {
    const sections = [GIT, long("files", 10, 2), long("history", 10, 1)];
    expect(assembleContext(NOW, sections, [], 100).dropped).toEqual([]);
    expect(assembleContext(NOW, sections, [], 25).dropped).toEqual(["history"]);
    expect(assembleContext(NOW, sections, [], 12).dropped).toEqual(["history", "files"]);
  });

  it("names every section that it dropped under EXCLUDED", () => {
    const { text } = assembleContext(NOW, [GIT, long("history", 50, 1)], [], 20);
    expect(text).toContain("- history — dropped for the budget of 20 lines");
  });

  it("never drops a section without a rank, and says that it is over", () => {
    const document = assembleContext(NOW, [GIT], [], 3);
    expect(document.overBudget).toBe(true);
    expect(document.text).toContain("branch       main");
  });

  it("says `- nothing` when nothing was left out", () => {
    expect(assembleContext(NOW, [GIT], [], 50).text).toContain("## EXCLUDED\n- nothing\n");
  });
});
