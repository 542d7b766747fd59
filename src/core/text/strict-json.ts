import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { isWellFormed } from "./canonical-json.ts";

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
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
  // A text that is written again just as it stands lost nothing on reading; `\ud` may be half a character.
  const same = text === `${JSON.stringify(value, null, 2)}\n` && !text.includes("\\ud");
  const problem = same ? undefined : ambiguity(text);
  return problem === undefined ? ok(value) : failed(problem);
}
