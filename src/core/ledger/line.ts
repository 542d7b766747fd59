import { EXIT, MajordomusError } from "../base/error.ts";
import { MemberCursor } from "./grammar.ts";
import { isTight, memberKey, memberValue } from "./values.ts";
import type { LedgerValue } from "./values.ts";
import { EVENTS } from "./vocabulary.ts";

/** The part of every line that is not its payload (records.md 4). */
export interface Envelope {
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  ts: string;
  event: string;
  /** 40 hex, or `NONE`. */
  head: string;
  branch: string;
  /** `majordomus/<version>`. */
  by: string;
  /** The open episode of the writing process, where it has one. */
  session?: string | undefined;
}

export type PayloadValue = string | number | boolean | null | readonly PayloadValue[] | Payload;
export interface Payload {
  readonly [key: string]: PayloadValue | undefined;
}

/** A line as it was read. `fields` has every key in its order, the envelope's too, each at its first occurrence. */
export interface LedgerLine {
  ts: string;
  event: string;
  head?: string;
  branch?: string;
  by?: string;
  session?: string;
  fields: Map<string, LedgerValue>;
}

const ENVELOPE_KEYS = ["ts", "event", "head", "branch", "by", "session"] as const;
const ENVELOPE_KEY_SET: ReadonlySet<string> = new Set(ENVELOPE_KEYS);

/** Whether a key belongs to the envelope and may therefore not be in a payload. */
export function isEnvelopeKey(key: string): boolean {
  return ENVELOPE_KEY_SET.has(key);
}

/**
 * Composes a line, without its newline, in the one form that every reader of this format takes
 * (records.md 4): fixed order, no blanks, only `\` and `"` escaped, newlines deleted. Payload members that
 * are undefined are left out.
 *
 * @throws MajordomusError 13 for an event outside the vocabulary, a required key that is missing, or a
 *   payload key of the envelope.
 */
export function composeLine(envelope: Envelope, payload: Payload): string {
  refuseUnlawful(envelope.event, payload);
  const members = ENVELOPE_KEYS.map((key) => member(key, envelope[key]));
  for (const [key, value] of Object.entries(payload)) members.push(member(key, value));
  return `{${members.filter((text) => text !== "").join(",")}}`;
}

function refuseUnlawful(event: string, payload: Payload): void {
  const required = EVENTS.get(event);
  if (required === undefined)
    throw unlawful("ledger.unregistered", event, "is not a registered ledger event");
  for (const key of required) {
    if (payload[key] === undefined)
      throw unlawful("ledger.incomplete", `${event}.${key}`, "is required in this line");
  }
  const clash = Object.keys(payload).find(isEnvelopeKey);
  if (clash !== undefined)
    throw unlawful("ledger.envelope_key", clash, "is an envelope key and cannot be in a payload");
}

function unlawful(code: string, subject: string, message: string): MajordomusError {
  return new MajordomusError({ code, exit: EXIT.internal, subject, message });
}

function member(key: string, value: PayloadValue | undefined): string {
  return value === undefined ? "" : `${quote(key)}:${compose(value)}`;
}

function compose(value: PayloadValue): string {
  if (typeof value === "string") return quote(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  if (isArray(value)) return `[${value.map(compose).join(",")}]`;
  const members = Object.entries(value).map(([key, inner]) => member(key, inner));
  return `{${members.filter((text) => text !== "").join(",")}}`;
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: PayloadValue): value is readonly PayloadValue[] {
  return Array.isArray(value);
}

function quote(text: string): string {
  return `"${text.replaceAll("\n", "").replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/**
 * Reads one line. Valid is what starts with `{`, ends with `}`, has `"ts":"` and `"event":"` and is of the
 * grammar in between; of a key that occurs twice, the first counts.
 *
 * @returns undefined for a malformed line.
 */
export function parseLine(text: string): LedgerLine | undefined {
  const buffer = Buffer.from(text, "utf8");
  return parseLineBytes(buffer, 0, buffer.length);
}

/** `parseLine` over the bytes `[start, end)`, which hold no newline. */
export function parseLineBytes(buffer: Buffer, start: number, end: number): LedgerLine | undefined {
  const fields = new Map<string, LedgerValue>();
  const loose = new Set<string>();
  const cursor = new MemberCursor().aim(buffer, start, end);
  while (cursor.next()) {
    const key = memberKey(cursor);
    if (fields.has(key)) continue;
    fields.set(key, memberValue(cursor));
    if (!isTight(cursor)) loose.add(key);
  }
  const ts = fields.get("ts");
  const event = fields.get("event");
  if (!cursor.complete || typeof ts !== "string" || typeof event !== "string") return undefined;
  if (loose.has("ts") || loose.has("event")) return undefined;
  const line: LedgerLine = { ts, event, fields };
  for (const key of ["head", "branch", "by", "session"] as const) {
    const value = fields.get(key);
    if (typeof value === "string") line[key] = value;
  }
  return line;
}

/** A field of the line as text, or undefined where it is absent, empty or not a string. */
export function textField(line: LedgerLine, key: string): string | undefined {
  const value = line.fields.get(key);
  return typeof value === "string" && value !== "" ? value : undefined;
}
