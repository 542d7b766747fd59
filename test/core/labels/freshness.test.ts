import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, parseTimestamp } from "../../../src/core/base/time.ts";
import { isHistory, labelFreshness } from "../../../src/core/labels/freshness.ts";
import { Freshness } from "../../../src/core/labels/terms.ts";

interface Golden {
  now: string;
  fresh_minutes: number;
  stale_minutes: number;
  rows: { created_at: string; freshness: string }[];
}

const golden = JSON.parse(
  readFileSync(new URL("../../fixtures/golden/freshness.json", import.meta.url), "utf8"),
) as Golden;
const NOW = parseTimestamp(golden.now) as number;
const THRESHOLDS = { freshMinutes: golden.fresh_minutes, staleMinutes: golden.stale_minutes };
const MINUTE = 60_000;

function aged(minutes: number, thresholds = THRESHOLDS) {
  return labelFreshness(formatTimestamp(NOW - minutes * MINUTE), NOW, thresholds);
}

describe("labelFreshness", () => {
  it.each(golden.rows)("$created_at is $freshness", ({ created_at, freshness }) => {
    expect(labelFreshness(created_at, NOW, THRESHOLDS).freshness).toBe(freshness);
  });

  it.each([
    [0, "fresh"],
    [719, "fresh"],
    [720, "aging"],
    [2879, "aging"],
    [2880, "stale"],
    [1_000_000, "stale"],
  ])("at %i minutes is %s: both thresholds count when met exactly", (minutes, freshness) => {
    expect(aged(minutes)).toMatchObject({ freshness, ageMinutes: minutes });
  });

  it.each([
    [90, "1h old; fresh until 12h"],
    [800, "13h old; fresh until 12h"],
    [3000, "2d old; stale from 2d"],
  ])("gives the age at %i minutes and the threshold that decided", (minutes, reason) => {
    expect(aged(minutes).reason).toBe(reason);
  });

  it("says which time it could not read, and that no threshold is declared", () => {
    expect(labelFreshness("noon", NOW, THRESHOLDS).reason).toBe(
      "the timestamp is not a UTC time, YYYY-MM-DDTHH:MM:SSZ",
    );
    expect(aged(60, {} as typeof THRESHOLDS).reason).toBe("60m old; the policy declares no thresholds");
  });

  it("states by how much a time lies ahead, and gives no negative age", () => {
    const ahead = aged(-180);
    expect(ahead).toEqual({ freshness: "invalid", reason: "the timestamp is 3h in the future" });
    expect(labelFreshness("2026-09-11T12:00:01Z", NOW, THRESHOLDS)).toMatchObject({
      freshness: "invalid",
      reason: "the timestamp is 1m in the future",
    });
  });

  it("is unknown while a threshold is missing, but still tells the age", () => {
    for (const thresholds of [{}, { freshMinutes: 1 }, { staleMinutes: 1 }]) {
      const label = labelFreshness("2026-09-11T11:00:00Z", NOW, thresholds);
      expect(label).toMatchObject({ freshness: "unknown", ageMinutes: 60 });
    }
  });

  it("finds a time invalid before it misses a threshold", () => {
    expect(labelFreshness("yesterday", NOW, {}).freshness).toBe("invalid");
    expect(labelFreshness("2026-09-11T13:00:00Z", NOW, {}).freshness).toBe("invalid");
    expect(labelFreshness("", NOW, {})).toEqual({ freshness: "unknown", reason: "no timestamp" });
  });

  it("lets stale win where the thresholds are the wrong way round", () => {
    expect(aged(100, { freshMinutes: 1000, staleMinutes: 50 }).freshness).toBe("stale");
  });

  it("always gives one of the labels and a reason, and never grows fresher with age", () => {
    const order = ["fresh", "aging", "stale"];
    const threshold = fc.nat({ max: 5000 });
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat({ max: 9000 }),
        fc.nat({ max: 900 }),
        threshold,
        threshold,
        (text, age, more, a, b) => {
          const thresholds = { freshMinutes: Math.min(a, b), staleMinutes: Math.max(a, b) };
          const younger = aged(age, thresholds);
          const older = aged(age + more, thresholds);
          expect(order.indexOf(older.freshness)).toBeGreaterThanOrEqual(order.indexOf(younger.freshness));
          const any = labelFreshness(text, NOW, thresholds);
          expect(Freshness.options).toContain(any.freshness);
          expect(any.reason).not.toBe("");
        },
      ),
    );
  });
});

describe("isHistory", () => {
  it("holds for stale and invalid alone", () => {
    expect(Freshness.options.filter(isHistory)).toEqual(["stale", "invalid"]);
  });
});
