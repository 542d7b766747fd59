import * as z from "zod/mini";
import { compareBytewise } from "../base/bytewise.ts";

/** The one schema that is written here, and the family that it is of. */
export const RECORD_SCHEMA = "majordomus-continuity/v1";

/** Bounds of the wire format (records.md 14.3); bytes are UTF-8. */
export const LIMITS = {
  file: 163_840,
  line: 256,
  shortLine: 64,
  changed: 200,
  decisions: 32,
  decisionText: 4_096,
  body: 32_768,
} as const;

/** A handover on its way between machines, as it is signed (records.md 14.3). */
export interface ContinuityRecord {
  schema: string;
  /** 32 hex: which repository, by its root commits. */
  repository: string;
  device: { node: string; label: string };
  session?: string;
  episode: "open" | "none";
  /** Both or neither: the first record of a line has none, and its id is its line. */
  line?: string;
  parent?: string;
  published_at: string;
  producer: string;
  source: SourceState;
  task?: TravellingTask;
  decisions?: TravellingDecision[];
  handover: TravellingHandover;
}

export interface SourceState {
  branch?: string;
  head?: string;
  working_tree: "clean" | "dirty";
  /** At most 200, sorted bytewise. */
  changed?: string[];
  /** Of all that changed. */
  changed_total: number;
  /** 32 hex, of uncommitted work. */
  fingerprint?: string;
}

export interface TravellingTask {
  id: string;
  title: string;
  profile?: string;
  scope?: string[];
  outcome?: string;
}

export interface TravellingDecision {
  title: string;
  text: string;
}

export interface TravellingHandover {
  /** 32 hex over the body. */
  id: string;
  task?: string;
  issue?: string;
  milestone?: string;
  branch?: string;
  head?: string;
  created_at?: string;
  name?: string;
  body: string;
}

/** What stands in the file: the record, its id, and whose word it is. */
export interface SignedRecord {
  id: string;
  public_key: string;
  signature: string;
  record: ContinuityRecord;
}

const hex = (digits: number) =>
  z.string().check(z.regex(new RegExp(`^[0-9a-f]{${digits}}$`), `is not ${digits} hex`));

function line(maximum: number) {
  return z.string().check(
    z.refine((value) => Buffer.byteLength(value) <= maximum, `is longer than ${maximum} bytes`),
    z.refine((value) => !/\p{Cc}/u.test(value), "is not one line"),
  );
}

function text(maximum: number) {
  return z
    .string()
    .check(z.refine((value) => Buffer.byteLength(value) <= maximum, `is longer than ${maximum} bytes`));
}

/** Absent and null mean the same, as they do to the original's reader. */
const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

const isSorted = (values: readonly string[]): boolean =>
  values.every((value, index) => index === 0 || compareBytewise(values[index - 1] ?? "", value) <= 0);

const Source = z
  .object({
    branch: maybe(line(LIMITS.line)),
    head: maybe(line(LIMITS.line)),
    working_tree: z.enum(["clean", "dirty"]),
    changed: maybe(
      z
        .array(z.string())
        .check(
          z.maxLength(LIMITS.changed, `has more than ${LIMITS.changed} paths`),
          z.refine(isSorted, "is not sorted"),
        ),
    ),
    changed_total: z.int().check(z.minimum(0)),
    fingerprint: maybe(hex(32)),
  })
  .check(
    z.refine(
      ({ working_tree, fingerprint }) => working_tree === "dirty" || (fingerprint ?? null) === null,
      "has a fingerprint of a clean tree",
    ),
  );

const Task = z.object({
  id: z.string(),
  title: z.string(),
  profile: maybe(z.string()),
  scope: maybe(z.array(z.string())),
  outcome: maybe(z.string()),
});

const Decision = z.object({
  title: z.string().check(z.refine((value) => !/\p{Cc}/u.test(value), "is not one line")),
  text: text(LIMITS.decisionText),
});

const Handover = z.object({
  id: hex(32),
  task: maybe(line(LIMITS.shortLine)),
  issue: maybe(line(LIMITS.shortLine)),
  milestone: maybe(line(LIMITS.shortLine)),
  branch: maybe(line(LIMITS.line)),
  head: maybe(line(LIMITS.shortLine)),
  created_at: maybe(line(LIMITS.shortLine)),
  name: maybe(line(LIMITS.line)),
  body: text(LIMITS.body).check(z.refine((body) => body.trim() !== "", "is blank")),
});

/** The outer two refuse what they do not know; what the inner ones do not know is not signed, and falls away. */
const Record = z
  .strictObject({
    schema: z.literal(RECORD_SCHEMA),
    repository: hex(32),
    device: z.object({ node: hex(32), label: line(LIMITS.line) }),
    session: maybe(line(LIMITS.line)),
    episode: z.enum(["open", "none"]),
    line: maybe(hex(32)),
    parent: maybe(hex(32)),
    published_at: line(LIMITS.line),
    producer: line(LIMITS.line),
    source: Source,
    task: maybe(Task),
    decisions: maybe(
      z.array(Decision).check(z.maxLength(LIMITS.decisions, `has more than ${LIMITS.decisions}`)),
    ),
    handover: Handover,
  })
  .check(
    z.refine(
      (record) => ((record.line ?? null) === null) === ((record.parent ?? null) === null),
      "has a line without a parent, or a parent without a line",
    ),
  );

const Signed = z.strictObject({ id: hex(32), public_key: hex(64), signature: hex(128), record: Record });

/** Leaves out what says nothing: null, undefined, an empty list. It is never written, and never signed. */
function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([, member]) =>
          member !== undefined && member !== null && !(Array.isArray(member) && member.length === 0),
      )
      .map(([key, member]) => [key, withoutAbsent(member)]),
  );
}

/** What is wrong with a shape: a JSON pointer below the record's file, and a clause. */
export interface ShapeFault {
  pointer: string;
  message: string;
}

function faultOf(issue: z.core.$ZodIssue | undefined): ShapeFault {
  const path = issue?.path ?? [];
  if (issue?.code === "unrecognized_keys") {
    return { pointer: pointerTo([...path, issue.keys[0] ?? ""]), message: "is not a field of this schema" };
  }
  const known = issue?.code === "custom" || /^(?:is|has) /.test(issue?.message ?? "");
  return { pointer: pointerTo(path), message: known ? (issue?.message ?? "") : "is not of the right type" };
}

/** A JSON pointer (RFC 6901) of keys and indices. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Judges the shape of a signed record; what says nothing is left out of the value. */
export function readSignedRecord(
  value: unknown,
): { ok: true; value: SignedRecord } | { ok: false; error: ShapeFault } {
  const outcome = Signed.safeParse(value);
  if (!outcome.success) return { ok: false, error: faultOf(outcome.error.issues[0]) };
  return { ok: true, value: withoutAbsent(outcome.data) as SignedRecord };
}

/** Judges the shape of a record before it is signed. */
export function shapeFault(record: ContinuityRecord): ShapeFault | undefined {
  const outcome = Record.safeParse(record);
  return outcome.success ? undefined : faultOf(outcome.error.issues[0]);
}
