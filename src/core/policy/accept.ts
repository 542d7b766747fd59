import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";

/** Whole numbers from `minimum` on. */
export function wholeFrom(minimum: number): z.ZodMiniNumberFormat {
  return z.int().check(z.minimum(minimum));
}

/** A policy duration, `90s`, `15m` or `12h`; kept as text, read by `parseDuration`. */
export const DurationText = z
  .string()
  .check(z.regex(/^[0-9]{1,9}[smh]$/, { error: "must be a duration such as 15m or 12h" }));

export interface SettingsFile {
  /** Where the fields come from: the subject of a refusal. */
  path: string;
  /** `policy`, `manifest`, `profile`, `switches`: the first half of a refusal's code. */
  kind: string;
}

/**
 * Takes the parsed fields of a settings file, or refuses them.
 *
 * @throws MajordomusError 10 whose subject is the file and whose message names every key that is unknown,
 *   missing or of another type, by its full path.
 */
export function acceptFields<Schema extends z.ZodMiniType>(
  schema: Schema,
  fields: unknown,
  file: SettingsFile,
): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.some((issue) => issue.code === "unrecognized_keys");
  throw refusal(
    file,
    unknown ? "unknown_key" : "invalid",
    issues.map((issue) => describe(issue, fields)).join("; "),
  );
}

/** The error that refuses a settings file as a whole. */
export function refusal(file: SettingsFile, code: string, message: string): MajordomusError {
  return new MajordomusError({
    code: `${file.kind}.${code}`,
    exit: EXIT.finding,
    subject: file.path,
    message,
    remedy: "correct the file",
  });
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "a map",
  record: "a map",
  string: "text",
};

function describe(issue: z.core.$ZodIssue, fields: unknown): string {
  const key = keyPath(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((name) => `unknown key ${keyPath([...issue.path, name])}`).join("; ");
    case "invalid_type":
      if (key !== "" && valueAt(fields, issue.path) === undefined) return `missing key ${key}`;
      return `${key === "" ? "the file" : key} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      if (valueAt(fields, issue.path) === undefined) return `missing key ${key}`;
      return `${key} must be ${issue.values.map(String).join(" or ")}`;
    case "too_small":
      return `${key} must be ${issue.origin === "array" ? "a list of at least" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `${key} must be at most ${issue.maximum}`;
    default:
      return `${key} ${issue.message === "Invalid input" ? "is not valid" : issue.message}`;
  }
}

function keyPath(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

function valueAt(fields: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const inside = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return inside ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }, fields);
}
