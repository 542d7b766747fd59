import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";

const BYTE_ORDER_MARK = "\ufeff";

/** The line of its file on which a head begins, below its fence. */
export const HEAD_FIRST_LINE = 2;

export interface SplitDocument {
  head: string;
  body: string;
  /** Where the head and the body begin in the text, in UTF-16 units. */
  headStart: number;
  bodyStart: number;
}

/**
 * Parts a document at its front matter (records.md 1.5): line 1 is `---`, the head ends before the next
 * line that is exactly `---`, the body is everything after it. CRLF and a byte order mark are tolerated.
 * A separate file, so that a hook can split a record without loading a YAML library.
 */
export function splitFrontMatter(text: string): Result<SplitDocument, string> {
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const opening = /^---\r?\n/.exec(text.slice(start, start + 5));
  if (!opening) return failed("no front matter: line 1 is not ---");
  const headStart = start + opening[0].length;
  // Line by line and by \n alone: a regular expression would take U+2028 for a line's end, and a value could forge the fence.
  for (let lineStart = headStart; lineStart < text.length;) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    if (isFence(text, lineStart, lineEnd)) {
      const bodyStart = Math.min(lineEnd + 1, text.length);
      return ok({
        head: text.slice(headStart, lineStart),
        body: text.slice(bodyStart),
        headStart,
        bodyStart,
      });
    }
    lineStart = lineEnd + 1;
  }
  return failed("no front matter: no closing ---");
}

function isFence(text: string, start: number, end: number): boolean {
  if (!text.startsWith("---", start)) return false;
  return end - start === 3 || (end - start === 4 && text[end - 1] === "\r");
}
