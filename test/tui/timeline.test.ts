import { describe, expect, it } from "vitest";
import { barsOf, hourlyCounts, timelineOf, unreadHours } from "../../src/tui/model/timeline.ts";
import { ago, historyAnswer, historyLines, NOW, sessionId } from "../support/console-answers.ts";

const HOURS = 24;

describe("the last 24 hours", () => {
  it("are counted by the hour, the newest at the end; what is older or ahead is in none", () => {
    const counts = hourlyCounts(
      [ago(1), ago(59), ago(61), ago(24 * 60 - 1), ago(24 * 60 + 1), ago(-10)],
      NOW,
    );
    expect(counts).toHaveLength(HOURS);
    expect([counts[23], counts[22], counts[0]]).toEqual([2, 1, 1]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  it("are drawn in proportion to the busiest, a dot for an hour without anything", () => {
    expect(barsOf([0, 1, 4, 8])).toBe("·▁▄█");
  });

  it("leave blank what was not read: nobody knows whether nothing happened", () => {
    const lines = historyLines(40).map((line, index) => ({ ...line, ts: ago(300 - index * 7) }));
    const cut = historyAnswer(lines, 1204);
    expect(unreadHours(cut, NOW)).toBe(18);
    expect(unreadHours(historyAnswer(lines, lines.length), NOW)).toBe(0);
    const bars = timelineOf(cut, sessionId("fc51"), [ago(20 * 60)], NOW);
    expect(bars).toHaveLength(HOURS);
    expect(bars.slice(0, 18)).toMatch(/^ +\S +$/u);
    expect(bars.slice(18)).not.toContain(" ");
  });
});
