import { join } from "node:path";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { readText } from "../fs/read.ts";
import { quoteValue } from "./quote.ts";

/** What an install declares for its two verbs; data, never code (capsules.md 9). */
export interface LifecycleExtension {
  resume_ack: string | null;
  capsule_ack: string | null;
  resume_preload: string[];
  resume_reground: string[];
  /** Why the declaration was refused whole; one line that begins with the token operators search for. */
  warning: string | null;
}

export const EXTENSION_PATH = ".aigent/lifecycle-extension.json";
/** Every diagnostic of this seam begins with it. */
export const EXTENSION_TOKEN = "LIFECYCLE-EXTENSION:";
export const SLOT = "{capsule_id}";
export const LONGEST_LINE = 500;
/** What the slot is charged in advance, so that an accepted line can never be too long when it is filled. */
export const SLOT_CHARGE = 128;
const MOST_LINES = 24;
const FILE_BYTES = 1024 * 1024;

const ACKS = ["resume_ack", "capsule_ack"] as const;
const ARRAYS = ["resume_preload", "resume_reground"] as const;
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "LifecycleExtension/v1": ["schema", ...ACKS],
  "LifecycleExtension/v2": ["schema", ...ACKS, ...ARRAYS],
};

const LINE_ENDS = /[\n\r\u2028\u2029\u0085]/;
const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}\u{feff}\p{Cs}]/u;

/** What of a declared line is not allowed, or undefined; the line is judged trimmed. */
function faultOfLine(line: unknown, what: string, slots: 0 | 1): string | undefined {
  if (typeof line !== "string") return `${what} is not a string`;
  const text = line.trim();
  if (text === "") return `${what} is empty`;
  if (LINE_ENDS.test(text)) return `${what} is more than one line`;
  if (FORBIDDEN.test(text)) return `${what} has a control, bidirectional or invisible character`;
  const uses = text.split(SLOT).length - 1;
  if (uses > slots) {
    return slots === 0
      ? `${what} uses ${SLOT}, and there is no id to put in`
      : `${what} uses ${SLOT} more than once`;
  }
  const longest = text.length + uses * (SLOT_CHARGE - SLOT.length);
  if (longest <= LONGEST_LINE) return undefined;
  return `${what} may be ${longest} characters long, and ${LONGEST_LINE} are allowed`;
}

function faultOfArray(value: unknown, key: string): string | undefined {
  if (!Array.isArray(value)) return `${key} is not a list`;
  if (value.length === 0 || value.length > MOST_LINES) {
    return `${key} has ${value.length} lines, and 1 to ${MOST_LINES} are allowed`;
  }
  for (const [index, line] of value.entries()) {
    const fault = faultOfLine(line, `${key}[${index + 1}]`, 0);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

type Declared = Omit<LifecycleExtension, "warning">;

const NOTHING: Declared = { resume_ack: null, capsule_ack: null, resume_preload: [], resume_reground: [] };

/** Reads a declaration's text; the first problem refuses the whole of it (capsules.md 9.2). */
export function parseExtension(text: string): Result<Declared, string> {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch (error) {
    return failed(`is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return failed("is not a JSON object");
  const fields = new Map(Object.entries(value));
  const schema = fields.get("schema");
  const known = typeof schema === "string" && Object.hasOwn(KEYS, schema) ? KEYS[schema] : undefined;
  if (known === undefined)
    return failed("has a schema that is neither LifecycleExtension/v1 nor LifecycleExtension/v2");
  const unknown = [...fields.keys()].filter((key) => !known.includes(key)).toSorted();
  if (unknown.length > 0) return failed(`has unsupported keys: ${unknown.join(", ")}`);
  const declared: Declared = { ...NOTHING };
  for (const key of ACKS) {
    const line = fields.get(key);
    if (!fields.has(key)) continue;
    const fault = faultOfLine(line, key, 1);
    if (fault !== undefined) return failed(fault);
    declared[key] = String(line).trim();
  }
  for (const key of ARRAYS) {
    const lines = fields.get(key);
    if (!fields.has(key)) continue;
    const fault = faultOfArray(lines, key);
    if (fault !== undefined) return failed(fault);
    declared[key] = (lines as string[]).map((line) => line.trim());
  }
  return ok(declared);
}

/** Reads what an install declares. An absent file is the standalone lifecycle; a bad one is refused whole and said. */
export function readExtension(base: string): LifecycleExtension {
  const path = join(base, EXTENSION_PATH);
  const text = readText(path, { maximumBytes: FILE_BYTES });
  if (!text.ok && text.error.kind === "absent") return { ...NOTHING, warning: null };
  const declared = text.ok ? parseExtension(text.value) : failed(`cannot be read (${text.error.message})`);
  if (declared.ok) return { ...declared.value, warning: null };
  const warning = `${EXTENSION_TOKEN} declaration ignored: ${quoteValue(path, 300)}: ${quoteValue(declared.error, 400)}`;
  return { ...NOTHING, warning };
}

const FOLDED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/**
 * A declared line as it is given to a worker, who is to send it as it stands: not quoted, but never more than one
 * line.
 */
export function foldDeclaredLine(line: string): string {
  return line.replaceAll(FOLDED, " ").replaceAll(/ {2,}/g, " ").trim();
}

/** A declared acknowledgement, filled; or why it is held back. Both null when nothing is declared. */
export interface RenderedAck {
  line: string | null;
  warning: string | null;
}

/**
 * Fills a declared acknowledgement with the id of the capsule that was really loaded or written.
 *
 * @returns held with a warning, which repeats nothing of the declaration, when there is no such id or it is too long.
 */
export function renderAck(
  field: (typeof ACKS)[number],
  extension: LifecycleExtension,
  capsuleId: string | undefined,
): RenderedAck {
  const template = extension[field];
  if (template === null) return { line: null, warning: extension.warning };
  const held = (why: string): RenderedAck => ({
    line: null,
    warning: `${EXTENSION_TOKEN} ${field} not rendered: ${why}`,
  });
  if (!template.includes(SLOT)) return { line: foldDeclaredLine(template), warning: null };
  const id = capsuleId === undefined ? "" : capsuleId.trim();
  if (id === "") return held("it names a capsule, and none was loaded");
  // The id stands among the steps: one with blanks in it could say something there.
  if (/[\s\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u.test(id))
    return held("the capsule's id is not one plain word");
  const filled = template.replace(SLOT, () => id);
  if (filled.length > LONGEST_LINE)
    return held(`the capsule's id makes it longer than ${LONGEST_LINE} characters`);
  return { line: foldDeclaredLine(filled), warning: null };
}

/** The example that `lifecycle-extension example` prints; itself a valid declaration. */
export const EXAMPLE_EXTENSION = {
  schema: "LifecycleExtension/v2",
  resume_ack: `As the final action, notify the supervising process with this exact body: EXAMPLE resumed ${SLOT}`,
  capsule_ack: `Before the completion literal, notify the supervising process with this exact body: EXAMPLE written ${SLOT}`,
  resume_preload: ["read the standing document of this install before step 1"],
  resume_reground: [
    "drain the supervising process's inbox until it is empty",
    "read the live work list again",
  ],
} as const;
