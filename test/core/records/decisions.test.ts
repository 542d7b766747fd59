import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDecision, parseDecisions, supersededDecisions } from "../../../src/core/records/decisions.ts";
import { ORIGINAL_STATE } from "./fixtures.ts";

const original = readFileSync(join(ORIGINAL_STATE, "decisions.md"), "utf8");

describe("the decision log", () => {
  it("of the original is read, its template ignored, and each entry is written as it was", () => {
    const [first, second] = parseDecisions(original);
    expect(first).toMatchObject({
      heading: '2026-09-04 — Say "no" to a second cache',
      date: "2026-09-04",
      title: 'Say "no" to a second cache',
      task: "t-20260904153800-0a1b",
      why: "two clocks for one expiry",
      rejected: "a refresh cache",
      supersedes: "-",
    });
    expect(second?.title).toBe("Made outside any episode");
    for (const decision of [first, second]) {
      const { date = "", title = "", task = "", head = "", why = "" } = decision ?? {};
      const optional = Object.fromEntries(
        (["rejected", "evidence", "supersedes"] as const)
          .filter((key) => decision?.[key] !== "-")
          .map((key) => [key, decision?.[key] ?? ""]),
      );
      expect(original).toContain(`\n${formatDecision({ date, title, task, head, why, ...optional })}`);
    }
  });

  it("takes the first of a field that stands twice, CRLF, an undated heading and a carried entry", () => {
    const text = "## Carried one\r\nTask: none\r\nWhy: a\r\nWhy: b\r\nCarried: continuity 0123 from m\r\n";
    expect(parseDecisions(text)).toEqual([
      {
        heading: "Carried one",
        title: "Carried one",
        task: "none",
        why: "a",
        carried: "continuity 0123 from m",
        line: 1,
      },
    ]);
  });

  it("knows which entries a later one replaced, by title or heading, and none that stands after it", () => {
    const of = (date: string, title: string, supersedes = "-"): string =>
      `## ${date} — ${title}\nSupersedes: ${supersedes}\n\n`;
    const decisions = parseDecisions(
      of("2026-01-01", "a", "a") +
        of("2026-01-02", "b", "2026-01-01 — a") +
        of("2026-01-03", "b", "nothing there") +
        of("2026-01-04", "c", "b") +
        of("2026-01-05", "b"),
    );
    const replaced = [...supersededDecisions(decisions)].map(([old, by]) => [old.date, by.title]);
    expect(replaced).toEqual([
      ["2026-01-01", "b"],
      ["2026-01-02", "c"],
      ["2026-01-03", "c"],
    ]);
  });

  it("reads back whatever it writes, one entry after the other", () => {
    const line = fc
      .string({ minLength: 1, maxLength: 60 })
      .map((text) => text.replaceAll(/[\p{Cc}<>]/gu, "x").trim())
      .filter((text) => text !== "");
    fc.assert(
      fc.property(
        fc.array(fc.record({ title: line, why: line, evidence: line }), { maxLength: 5 }),
        (all) => {
          const text = all
            .map(
              (facts) => `\n${formatDecision({ date: "2026-09-04", task: "none", head: "NONE", ...facts })}`,
            )
            .join("");
          expect(parseDecisions(text)).toMatchObject(all);
        },
      ),
    );
  });
});
