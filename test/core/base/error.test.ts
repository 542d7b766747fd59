import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXIT, MajordomusError, errnoOf, reasonOf } from "../../../src/core/base/error.ts";

const facts = { code: "manifest.absent", exit: EXIT.missing, message: "there is no manifest" } as const;

test("an error for people is one line: subject, message, remedy", () => {
  expect(new MajordomusError(facts).line).toBe("there is no manifest");
  expect(new MajordomusError({ ...facts, subject: ".ai", remedy: "run init" }).line).toBe(
    ".ai: there is no manifest; run init",
  );
});

test("an error for people keeps its cause", () => {
  const cause = new Error("deeper");
  expect(new MajordomusError({ ...facts, cause }).cause).toBe(cause);
  expect("cause" in new MajordomusError(facts)).toBe(false);
});

test("the errno of a system call is found, and no other code is taken for one", () => {
  let thrown: unknown;
  try {
    readFileSync("/nowhere/at/all");
  } catch (error) {
    thrown = error;
  }
  expect(errnoOf(thrown)).toBe("ENOENT");
  expect(errnoOf(Object.assign(new Error("odd"), { code: 7 }))).toBeUndefined();
  expect(errnoOf({ code: "ENOENT" })).toBeUndefined();
  expect(errnoOf("ENOENT")).toBeUndefined();
});

test("anything that was thrown has a reason", () => {
  expect(reasonOf(new MajordomusError({ ...facts, subject: ".ai" }))).toBe(".ai: there is no manifest");
  expect(reasonOf(new Error("plain"))).toBe("plain");
  expect(reasonOf(undefined)).toBe("undefined");
});
