import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ageText,
  compactTimestamp,
  formatTimestamp,
  minutesBetween,
  parseDuration,
  parseTimestamp,
  spanText,
} from "../../../src/core/base/time.ts";

const FIRST = Date.parse("0000-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59Z");
const wholeSeconds = fc.integer({ min: FIRST / 1000, max: LAST / 1000 }).map((seconds) => seconds * 1000);

describe("timestamps", () => {
  test("every second of four-digit years is written and read back", () => {
    fc.assert(
      fc.property(wholeSeconds, (instant) => {
        const text = formatTimestamp(instant);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(parseTimestamp(text)).toBe(instant);
      }),
    );
  });

  test("a fraction of a second is cut, never rounded up", () => {
    fc.assert(
      fc.property(wholeSeconds, fc.integer({ min: 0, max: 999 }), (instant, fraction) => {
        expect(formatTimestamp(instant + fraction)).toBe(formatTimestamp(instant));
      }),
    );
  });

  test("the form for file names holds the same digits, and sorts as time does", () => {
    fc.assert(
      fc.property(wholeSeconds, wholeSeconds, (one, other) => {
        const [first, second] = [compactTimestamp(one), compactTimestamp(other)];
        expect(first).toMatch(/^\d{8}T\d{6}Z$/);
        expect(first.replaceAll(/\D/g, "")).toBe(formatTimestamp(one).replaceAll(/\D/g, ""));
        expect(Math.sign(one - other)).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
    );
  });

  test("whatever is accepted is exactly what would be written", () => {
    const nearly = fc
      .tuple(wholeSeconds, fc.nat(19), fc.constantFrom(..."0123456789-:TZ +.".split("")))
      .map(([instant, index, character]) => {
        const text = formatTimestamp(instant);
        return text.slice(0, index) + character + text.slice(index + 1);
      });
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ maxLength: 24 })), (text) => {
        const instant = parseTimestamp(text);
        expect(instant === undefined ? text : formatTimestamp(instant)).toBe(text);
      }),
    );
  });

  test.each([
    ["2026-02-30T00:00:00Z", "a day that does not exist"],
    ["2025-02-29T00:00:00Z", "a leap day of another year"],
    ["2026-01-01T24:00:00Z", "the hour 24"],
    ["2026-01-01T23:59:60Z", "a leap second"],
    ["2026-01-01T00:00:00", "local time"],
    ["2026-01-01T00:00:00+00:00", "an offset"],
    ["2026-01-01T00:00:00.000Z", "milliseconds"],
    ["2026-01-01t00:00:00z", "small letters"],
    ["2026-01-01T00:00:00Z\n", "a newline behind it"],
    ["２026-01-01T00:00:00Z", "a digit that is not ASCII"],
    ["", "nothing"],
  ])("%j is refused: %s", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe("durations", () => {
  test("a number with its unit is read as milliseconds", () => {
    const seconds = { s: 1, m: 60, h: 3600 } as const;
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.constantFrom("s", "m", "h"), (count, unit) => {
        expect(parseDuration(`${count}${unit}`)).toBe(count * seconds[unit] * 1000);
      }),
    );
  });

  test.each(["", "15", "m", "-5m", "1.5h", "15 m", "15M", "1d", "1h30m", "1234567890s", "0x5s"])(
    "%j is not a duration",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe("ages", () => {
  test("minutes are whole and rounded down, on both sides of now", () => {
    fc.assert(
      fc.property(wholeSeconds, fc.integer({ min: -1e10, max: 1e10 }), (then, distance) => {
        const minutes = minutesBetween(then, then + distance);
        expect(Number.isInteger(minutes)).toBe(true);
        expect(minutes * 60_000).toBeLessThanOrEqual(distance);
        expect((minutes + 1) * 60_000).toBeGreaterThan(distance);
      }),
    );
  });

  test.each([
    [0, "0m"],
    [18, "18m"],
    [89, "89m"],
    [90, "1h"],
    [1500, "25h"],
    [2879, "47h"],
    [2880, "2d"],
    [8640, "6d"],
  ])("%i minutes are worded %s", (minutes, text) => {
    expect(spanText(minutes)).toBe(text);
    expect(ageText(minutes)).toBe(`${text} ago`);
  });

  test("a span never claims more than the age, and falls short by less than its unit", () => {
    const unitMinutes: Record<string, number> = { m: 1, h: 60, d: 1440 };
    fc.assert(
      fc.property(fc.nat(10_000_000), (minutes) => {
        const [, count, unit] = /^(\d+)([mhd])$/.exec(spanText(minutes)) ?? [];
        const size = unitMinutes[unit ?? ""] ?? Number.NaN;
        const told = Number(count) * size;
        expect(told).toBeLessThanOrEqual(minutes);
        expect(minutes - told).toBeLessThan(size);
      }),
    );
  });

  test("no age is worded as unknown", () => {
    expect(ageText(undefined)).toBe("unknown");
  });
});
