import { isSessionId } from "../base/id.ts";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import type { FlatFields } from "../text/flat-yaml.ts";
import { clip, inert } from "../text/inert.ts";
import * as z from "zod/mini";

const SHOWN_CHARACTERS = 80;

/** An episode's id as far as readers may insist: it becomes part of file names, so it is never a path. */
export const SessionId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "not a session id"));

/** An id as we mint them, by hand; undefined for any other, of which the schema may think well. */
export function takeMintedId(value: unknown): string | undefined {
  return typeof value === "string" && isSessionId(value) ? value : undefined;
}
export const Timestamp = z
  .string()
  .check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "not a UTC timestamp"));
export const TreeState = z.enum(["clean", "dirty"]);
export type TreeState = z.infer<typeof TreeState>;

/** Text that a file may leave out. */
export function textOr(fallback: string) {
  return z.pipe(
    z.optional(z.string()),
    z.transform((value): string => value ?? fallback),
  );
}

/** A list that a file may leave out. */
export function listOrNone() {
  return z.pipe(
    z.optional(TextList),
    z.transform((value): string[] => value ?? []),
  );
}

/** A block list; a bare key is an empty one. */
export const TextList = z.pipe(
  z.union([z.literal(""), z.array(z.string())]),
  z.transform((value): string[] => (value === "" ? [] : value)),
);

/** What the schema expected; a check's own message is already the clause. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `not ${issue.values.map(String).join(" or ")}`;
  if (issue.code === "invalid_union") return "not a list";
  if (issue.code === "invalid_type")
    return `not a ${issue.expected === "string" ? "single value" : issue.expected}`;
  return issue.message.startsWith("not ") ? issue.message : "not an allowed value";
}

function wordIssue(issue: z.core.$ZodIssue, fields: FlatFields): string {
  if (issue.code === "unrecognized_keys")
    return `unknown key ${issue.keys.map((key) => clip(inert(key), SHOWN_CHARACTERS)).join(", ")}`;
  const field = String(issue.path[0] ?? "record");
  const value = fields.get(field);
  if (value === undefined) return `${field}: missing`;
  const shown = typeof value === "string" ? value : `[${value.join(", ")}]`;
  return `${field}: ${expectation(issue)} (${clip(inert(shown), SHOWN_CHARACTERS)})`;
}

/** Flat fields as an object that inherits nothing. */
export function asObject(fields: FlatFields): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of fields) object[key] = value;
  return object;
}

/** Judges flat fields by a record kind's schema; fails with one clause that names the first field at fault. */
export function admitFields<Schema extends z.ZodMiniType>(
  schema: Schema,
  fields: FlatFields,
): Result<z.output<Schema>, string> {
  const outcome = schema.safeParse(asObject(fields));
  if (outcome.success) return ok(outcome.data);
  const issue = outcome.error.issues[0];
  return failed(issue === undefined ? "record: not valid" : wordIssue(issue, fields));
}
