import type * as z from "zod/mini";

type Issue = z.core.$ZodRawIssue;

/** What an input's parts are called, for people. */
const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

/** What is counted where a size is wrong; a number has none. */
const UNITS: Readonly<Record<string, string>> = { array: "entries", set: "entries", string: "characters" };

function alternatives(values: readonly unknown[]): string {
  const words = values.map(String);
  const last = words.pop() ?? "";
  return words.length === 0 ? last : `${words.join(", ")} or ${last}`;
}

function sized(origin: string, bound: string, limit: unknown): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${bound} ${String(limit)}`
    : `must have ${bound} ${String(limit)} ${unit}`;
}

/** Says what is wrong with one part of an input, as the end of a sentence that begins with the part's name. */
export function misfitWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined ? "is missing" : `must be ${alternatives(issue.values)}`;
    case "too_small":
      if (UNITS[issue.origin] !== undefined && issue.minimum === 1) return "must not be empty";
      return sized(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return sized(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_format":
      // A pattern is no word for people: whoever declares one says in words what it wants.
      return issue.pattern === undefined
        ? `must be of the form ${issue.format}`
        : "is not of the form wanted";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `unknown ${issue.keys.length === 1 ? "key" : "keys"} ${issue.keys.join(", ")}`;
    default:
      return "does not fit";
  }
}
