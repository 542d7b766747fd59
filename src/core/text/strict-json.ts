import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { isWellFormed } from "./canonical-json.ts";

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
/** A whole number as a member's value, where no string is open. */
const PLAIN_NUMBER = /": (?:0|[1-9]\d{0,14})(?=[,\n])/g;
const WHOLE = /^(?:0|[1-9]\d*)$/;

/**
 * Why two readers could take one JSON text differently: a key that stands twice in its object, half a
 * character, a number that is not written as a whole one. Undefined where none can.
 *
 * @param text valid JSON
 */
function ambiguity(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let mayBeKey = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const keys = open.at(-1);
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.startsWith('"')) {
      const value = JSON.parse(token) as string;
      if (!isWellFormed(value)) return "has half a character";
      if (mayBeKey && keys !== undefined) {
        if (keys.has(value)) return `has the key ${JSON.stringify(value.slice(0, 40))} twice`;
        keys.add(value);
      }
    } else if (/^[-\d]/.test(token) && !WHOLE.test(token)) return "has a number that is not a whole one";
    mayBeKey = token === "{" || (token === "," && open.at(-1) !== undefined);
  }
  return undefined;
}

/** How many members and how many numbers a value has. */
function countMembers(value: unknown): { members: number; numbers: number } {
  const count = { members: 0, numbers: 0 };
  const walk = (part: unknown): void => {
    if (typeof part === "number") count.numbers += 1;
    if (typeof part !== "object" || part === null) return;
    const inner: unknown[] = Object.values(part);
    if (!Array.isArray(part)) count.members += inner.length;
    for (const member of inner) walk(member);
  };
  walk(value);
  return count;
}

/**
 * Whether a text is plainly unambiguous, by a look that costs little: as many keys as its value has, whole
 * numbers as they stand, no escape that could be half a character. False says nothing.
 */
function isPlain(text: string, value: unknown): boolean {
  if (text.includes("\\ud") || /"\s+:/.test(text)) return false;
  let seen = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    if (text[at - 1] === "\\") return false;
    seen += 1;
  }
  const plainNumbers = text.match(PLAIN_NUMBER)?.length ?? 0;
  const counted = countMembers(value);
  return counted.members === seen && counted.numbers === plainNumbers;
}

/**
 * Reads JSON in which nothing is ambiguous. `JSON.parse` alone takes the last of two equal keys, `1e0` and
 * lone surrogates; other readers do not, and what is signed must be one thing to all.
 *
 * @returns the value, or why there is none, in one clause.
 */
export function parseStrictJson(text: string): Result<unknown, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed("is not JSON");
  }
  const problem = isPlain(text, value) ? undefined : ambiguity(text);
  return problem === undefined ? ok(value) : failed(problem);
}
