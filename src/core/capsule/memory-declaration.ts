import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { readText, statEntry } from "../fs/read.ts";
import { MARKER_PATH } from "./install-root.ts";
import { quoteValue } from "./quote.ts";

/** A memory root that cannot be used. The message begins with the one token that operators search for. */
export class MemoryRootError extends MajordomusError {
  constructor(file: string, reason: string, cause?: unknown) {
    super({
      code: "EMEMORYROOT",
      exit: EXIT.finding,
      message: `MEMORY-ROOT: ${quoteValue(file, 400)} ${reason}`,
      ...(cause === undefined ? {} : { cause }),
    });
    this.name = "MemoryRootError";
  }
}

const MARKER_BYTES = 1024 * 1024;
const LONGEST = 240;

const CONTROLS = /\p{Cc}/u;
/** Bidirectional controls, zero-width and other characters that are drawn as nothing. */
const HIDDEN = /[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:)/;
/** What Windows cannot have as a name: devices, names that end in a dot or blank, and these characters. */
const NOT_PORTABLE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$|[. ]$|[<>:"|?*]/i;

/** The rules of a declared memory root, in the order in which they are applied (capsules.md 10.2). */
const RULES: readonly (readonly [reason: string, breaks: (path: string) => boolean])[] = [
  ["is empty", (path) => path === ""],
  [`is longer than ${LONGEST} characters`, (path) => path.length > LONGEST],
  ["has a control character", (path) => CONTROLS.test(path)],
  ["has a character that cannot be seen", (path) => HIDDEN.test(path)],
  ["has a backslash", (path) => path.includes("\\")],
  ["is absolute", (path) => ABSOLUTE.test(path)],
  ["has `..` in it", (path) => path.split("/").includes("..")],
  ["has an empty or `.` segment", (path) => path.split("/").some((part) => part === "" || part === ".")],
  ["leads into .git", (path) => path.split("/").some((part) => part.toLowerCase() === ".git")],
  [
    "has a name that not every system can hold",
    (path) => path.split("/").some((part) => NOT_PORTABLE.test(part)),
  ],
];

/** Judges the text of a declaration; undefined when it is a path that can be used. */
export function faultOfDeclaration(declared: unknown): string | undefined {
  if (typeof declared !== "string") return "is not a string";
  const path = declared.trim();
  return RULES.find(([, breaks]) => breaks(path))?.[0];
}

/** The names below `base`, outermost first, that lead to a relative path. */
export function waysTo(base: string, relative: string): string[] {
  const parts = relative.split("/");
  return parts.map((_, index) => join(base, ...parts.slice(0, index + 1)));
}

/**
 * Reads what the install marker declares (capsules.md 10.1).
 *
 * @returns the declared path, relative and judged; undefined where nothing is declared.
 * @throws MemoryRootError for a marker that cannot be read as one, or a declaration that breaks a rule.
 */
export function readDeclaration(base: string): string | undefined {
  const marker = join(base, MARKER_PATH);
  for (const path of waysTo(base, MARKER_PATH)) {
    if (statEntry(path)?.isSymbolicLink() === true) {
      throw new MemoryRootError(marker, "is reached through a symbolic link");
    }
  }
  const text = readText(marker, { maximumBytes: MARKER_BYTES });
  if (!text.ok) {
    if (text.error.kind === "absent") return undefined;
    throw new MemoryRootError(marker, `cannot be read: ${quoteValue(text.error.message, 240)}`);
  }
  const declared = declarationIn(text.value, marker);
  if (declared === undefined || declared === null) return undefined;
  const fault = faultOfDeclaration(declared);
  if (fault !== undefined || typeof declared !== "string") {
    throw new MemoryRootError(marker, `declares a memory_root that ${fault ?? "cannot be used"}`);
  }
  return declared.trim();
}

function declarationIn(text: string, marker: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MemoryRootError(marker, "is not JSON", error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new MemoryRootError(marker, "is not a JSON object");
  }
  return Object.hasOwn(value, "memory_root") ? (value as { memory_root: unknown }).memory_root : undefined;
}
