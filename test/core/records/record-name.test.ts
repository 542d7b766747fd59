import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  branchKey,
  closedSessionName,
  nameCarriesSession,
  recordName,
  workingContextName,
} from "../../../src/core/records/record-name.ts";

const at = Date.parse("2026-09-04T17:14:03Z");
const head = "b9469a95e64ad83017429739bd95b527100cdfec";
const random = { hex: (bytes: number) => "c0ffee1234567890".slice(0, bytes * 2) };

describe("names of records", () => {
  test("follow the original's grammar", () => {
    expect(recordName({ at, branch: "main", head, random })).toBe(
      "20260904T171403Z--main--b9469a9--c0ffee1234567890.md",
    );
    expect(closedSessionName({ at, branch: "main", head, random, sessionId: "s-20260904153733-fc51" })).toBe(
      "20260904T171403Z--s-20260904153733-fc51--main--b9469a9--c0ffee1234567890.md",
    );
    expect(recordName({ at, branch: "DETACHED", head: undefined, random })).toBe(
      "20260904T171403Z--DETACHED--NONE--c0ffee1234567890.md",
    );
    expect(workingContextName(at, "s-20260904153733-fc51")).toBe(
      "20260904T171403Z--s-20260904153733-fc51.md",
    );
  });

  test("a branch becomes a file name character by character", () => {
    expect(branchKey("feature/login 2")).toBe("feature-login-2");
    expect(branchKey("日本/x")).toBe("---x");
    expect(branchKey("a_b.c-d")).toBe("a_b.c-d");
  });

  test("are bounded and safe whatever the branch, the head and the id are", () => {
    const facts = fc.record({
      branch: fc.oneof(
        fc.string({ maxLength: 400 }),
        fc.string({ unit: "binary" }),
        fc.constant("x".repeat(1000)),
      ),
      head: fc.option(fc.string(), { nil: undefined }),
      sessionId: fc.oneof(fc.string({ minLength: 1 }), fc.constant("s".repeat(300))),
    });
    fc.assert(
      fc.property(facts, (given) => {
        for (const name of [
          recordName({ at, random, ...given }),
          closedSessionName({ at, random, ...given }),
        ]) {
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
          expect(name).toMatch(
            /^20260904T171403Z--[A-Za-z0-9._-]*--[A-Za-z0-9._-]{0,7}--c0ffee1234567890\.md$/,
          );
        }
      }),
    );
  });

  test("carry the id of their session, and of no other", () => {
    const name = closedSessionName({ at, branch: "s-2--s-3", head, random, sessionId: "s-1" });
    expect(nameCarriesSession(name, "s-1")).toBe(true);
    for (const other of ["s-2", "s-3", "s-", "s-1--s", "", "20260904T171403Z"])
      expect(nameCarriesSession(name, other)).toBe(false);
    expect(nameCarriesSession(workingContextName(at, "s-1"), "s-1")).toBe(true);
    expect(nameCarriesSession("README.md", "README")).toBe(false);
    expect(nameCarriesSession("xs-1.md", "s-1")).toBe(false);
  });
});
