import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distinctSessionKey, sessionKey, storedSessionId } from "../../../src/core/records/session-key.ts";
import { golden } from "./fixtures.ts";

const table = golden("session-keys.json") as { raw: string; key: string }[];
const rawId = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...Array.from("-._/a:é ")) }),
);

describe("sessionKey", () => {
  test.each(table)("$raw -> $key", ({ raw, key }) => {
    expect(sessionKey(raw)).toBe(key);
  });

  test("is always a safe file name, and its own key", () => {
    fc.assert(
      fc.property(rawId, (raw) => {
        const key = sessionKey(raw);
        expect(key).toMatch(/^[A-Za-z0-9._][A-Za-z0-9._-]{0,64}$/);
        expect(key).not.toMatch(/^\.+$|--|-$/);
        expect(sessionKey(key)).toBe(key.slice(0, 64));
      }),
    );
  });
});

describe("distinctSessionKey", () => {
  test("parts two raw ids that share a key", () => {
    expect(sessionKey("a b")).toBe(sessionKey("a/b"));
    expect(distinctSessionKey("a b")).not.toBe(distinctSessionKey("a/b"));
    expect(distinctSessionKey("a b")).toMatch(/^a-b-[0-9a-f]{8}$/);
    expect(distinctSessionKey("0".repeat(80))).toMatch(/^0{55}-[0-9a-f]{8}$/);
  });
});

describe("storedSessionId", () => {
  test.each([
    ["cc-1", "cc-1"],
    ["team@host:/x", "team@host:/x"],
    ["  a  b  ", "a-b"],
    ["--a--", "a"],
    ["x".repeat(100), "x".repeat(64)],
    ["", undefined],
    ["  ", undefined],
    [null, undefined],
    [undefined, undefined],
    ["a\u001b[2J\nb", "a-2J-b"],
  ])("%j -> %j", (raw, stored) => {
    expect(storedSessionId(raw)).toBe(stored);
  });

  test("never holds anything that a file or a terminal could mistake", () => {
    fc.assert(
      fc.property(rawId, (raw) => {
        expect(storedSessionId(raw) ?? "x").toMatch(/^[A-Za-z0-9._:@/-]{1,64}$/);
      }),
    );
  });
});
