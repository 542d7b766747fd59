import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { misfitOf } from "../../../src/core/capabilities/misfit.ts";

const input = z.strictObject({
  text: z.string().check(z.minLength(1), z.maxLength(5)),
  code: z.optional(z.string().check(z.minLength(3), z.regex(/^[a-z]+$/))),
  day: z.optional(z.string().check(z.regex(/^\d+$/, { error: "must be a day" }))),
  kinds: z.optional(z.array(z.enum(["a", "b", "c"])).check(z.minLength(1), z.maxLength(2))),
  only: z.optional(z.literal("x")),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(9))),
  share: z.optional(z.number().check(z.gt(0), z.lt(1), z.multipleOf(0.25))),
  deep: z.optional(z.strictObject({ flag: z.boolean() })),
  either: z.optional(z.union([z.string(), z.number()])),
});

describe("what is wrong with an input", () => {
  it.each([
    [{}, "text", "is missing"],
    [{ text: 7 }, "text", "must be text"],
    [{ text: "" }, "text", "must not be empty"],
    [{ text: "longer" }, "text", "must have at most 5 characters"],
    [{ text: "a", code: "ab" }, "code", "must have at least 3 characters"],
    [{ text: "a", code: "ABC" }, "code", "is not of the form wanted"],
    [{ text: "a", day: "x" }, "day", "must be a day"],
    [{ text: "a", kinds: "a" }, "kinds", "must be a list"],
    [{ text: "a", kinds: [] }, "kinds", "must not be empty"],
    [{ text: "a", kinds: ["a", "b", "c"] }, "kinds", "must have at most 2 entries"],
    [{ text: "a", kinds: ["a", "d"] }, "kinds.1", "must be a, b or c"],
    [{ text: "a", only: "y" }, "only", "must be x"],
    [{ text: "a", limit: 0 }, "limit", "must be at least 1"],
    [{ text: "a", limit: 10 }, "limit", "must be at most 9"],
    [{ text: "a", limit: 1.5 }, "limit", "must be a whole number"],
    [{ text: "a", share: 0 }, "share", "must be more than 0"],
    [{ text: "a", share: 1 }, "share", "must be less than 1"],
    [{ text: "a", share: 0.3 }, "share", "must be a multiple of 0.25"],
    [{ text: "a", deep: {} }, "deep.flag", "is missing"],
    [{ text: "a", deep: { flag: 1 } }, "deep.flag", "must be true or false"],
    [{ text: "a", either: true }, "either", "does not fit"],
    [{ text: "a", one: 1 }, "", "unknown key one"],
    [{ text: "a", one: 1, two: 2 }, "", "unknown keys one, two"],
    [7, "", "must be an object"],
  ])("is told in words for people: %j", (given, path, message) => {
    expect(misfitOf({ input }, given)).toEqual({ path, message });
  });
});
