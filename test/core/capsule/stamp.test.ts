import { describe, expect, it } from "vitest";
import { parseStamp } from "../../../src/core/capsule/stamp.ts";

describe("when a capsule says it was created", () => {
  it.each([
    ["2026-07-21", "2026-07-21T00:00:00.000Z"],
    ["2026-07-21T16:00:00Z", "2026-07-21T16:00:00.000Z"],
    ["2026-07-21t16:00:00z", "2026-07-21T16:00:00.000Z"],
    ["2026-07-21T16:00+07:00", "2026-07-21T09:00:00.000Z"],
    ["2026-07-21T16:00:00+0700", "2026-07-21T09:00:00.000Z"],
    ["2026-07-21T03:00:00+07:00", "2026-07-20T20:00:00.000Z"],
    ["2026-07-21T16:00:00-05", "2026-07-21T21:00:00.000Z"],
    ["2026-07-21T16:00:00.123456789Z", "2026-07-21T16:00:00.123Z"],
    ["2026-07-21T24:00:00Z", "2026-07-22T00:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["0000-01-01", "0000-01-01T00:00:00.000Z"],
  ])("%s is a stamp", (text, expected) => {
    expect(new Date(parseStamp(text) ?? Number.NaN).toISOString()).toBe(expected);
  });

  it.each([
    "2026-07-21T16:00",
    "2026-07-21 16:00",
    "2026-07-21T16:00:00",
    "2026-02-30",
    "2026-02-30T00:00:00Z",
    "2026-13-01",
    "2026-7-1",
    "2026",
    "5",
    "0",
    "-1",
    "(text) 2026-07-21",
    "2026-07-21Z",
    "07/21/2026",
    "21/07/2026",
    "Tue, 21 Jul 2026 16:00:00 GMT",
    "July 4 2026",
    "+275760-09-13T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "1785000000",
    "1785000000000",
    "2026-W30-2",
    "2026-202",
    "2026-07-21T16:00:00Z and more",
    "2026-07-21T25:00:00Z",
    "2026-07-21T24:00:01Z",
    "2026-07-21T16:60:00Z",
    "2026-07-21T12:30:60Z",
    "2026-07-21T16:00:00+25:00",
    "null",
    "",
  ])("%j is none", (text) => {
    expect(parseStamp(text)).toBeUndefined();
  });

  it("does not depend on the zone of the machine", () => {
    const before = process.env["TZ"];
    const seen = ["UTC", "America/New_York", "Asia/Ho_Chi_Minh"].map((zone) => {
      process.env["TZ"] = zone;
      return parseStamp("2026-03-08T02:30:00-05:00");
    });
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    expect(new Set(seen).size).toBe(1);
  });
});
