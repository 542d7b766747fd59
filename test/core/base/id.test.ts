import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import {
  isCommitId,
  isSessionId,
  isTaskId,
  newSessionId,
  newTaskId,
  sha256Hex,
} from "../../../src/core/base/id.ts";
import { systemRandom, type Random } from "../../../src/core/base/random.ts";

const instant = fc.integer({ min: 0, max: Date.parse("9999-12-31T23:59:59Z") });
const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef".split("")), minLength: length, maxLength: length });

describe("minted ids", () => {
  test("are those of their own grammar, whatever the time and the chance", () => {
    fc.assert(
      fc.property(instant, hex(4), (now, digits) => {
        const random: Random = { hex: () => digits };
        const [session, task] = [newSessionId(fixedClock(now), random), newTaskId(fixedClock(now), random)];
        expect([isSessionId(session), isTaskId(session)]).toEqual([true, false]);
        expect([isSessionId(task), isTaskId(task)]).toEqual([false, true]);
        expect(session.endsWith(`-${digits}`)).toBe(true);
      }),
    );
  });

  test("say when they were minted, and are the same for the same time and chance", () => {
    const clock = fixedClock(Date.parse("2026-09-04T15:37:33Z"));
    const random: Random = { hex: (bytes) => "fc51".slice(0, bytes * 2) };
    expect(newSessionId(clock, random)).toBe("s-20260904153733-fc51");
    expect(newTaskId(clock, random)).toBe("t-20260904153733-fc51");
  });

  test("are safe as file names", () => {
    fc.assert(
      fc.property(instant, (now) => {
        expect(newSessionId(fixedClock(now), systemRandom)).toMatch(/^[a-z0-9-]{1,40}$/);
      }),
    );
  });
});

describe("recognised ids", () => {
  test("the older form of a task id is read", () => {
    expect(isTaskId("t-20260904-153733-fc51")).toBe(true);
  });

  test.each([
    "",
    "s-20260904153733-fc5",
    "s-20260904153733-FC51",
    "s-2026090415373-fc51",
    "s-20260904-153733-fc51",
    "s-20260904153733-fc51\n",
    " s-20260904153733-fc51",
    "s-20260904153733-fc51/../x",
    "s-２0260904153733-fc51",
  ])("%j is no session id", (text) => {
    expect(isSessionId(text)).toBe(false);
  });

  test("a commit id is a whole object name of either hash, in small letters", () => {
    fc.assert(
      fc.property(hex(64), fc.nat(64), (digits, length) => {
        expect(isCommitId(digits.slice(0, length))).toBe(length === 40 || length === 64);
      }),
    );
    for (const text of ["HEAD", "A".repeat(40), `${"a".repeat(40)}\n`, `-${"a".repeat(39)}`]) {
      expect(isCommitId(text)).toBe(false);
    }
  });
});

describe("hashes", () => {
  test("a text and its UTF-8 bytes have one hash", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(sha256Hex(text)).toBe(sha256Hex(Buffer.from(text)));
        expect(isCommitId(sha256Hex(text))).toBe(true);
      }),
    );
    expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  test("randomness has the length that was asked for", () => {
    expect(systemRandom.hex(8)).toMatch(/^[0-9a-f]{16}$/);
    expect(systemRandom.hex(8)).not.toBe(systemRandom.hex(8));
  });
});
