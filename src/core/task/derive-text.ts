import type { Commit } from "../git/commits.ts";
import { findIdentityLine } from "../records/work-record.ts";
import { authoredLine } from "../text/authored.ts";

/** Text of somebody else as a line of a derived body: it may pose neither as front matter nor as Markdown's structure. */
export function bodyLine(text: string, prefix: string): string {
  const line = authoredLine(text);
  const harmless = /^[\p{L}\p{N}"'([]/u.test(line) && findIdentityLine(line) === undefined;
  return harmless ? line : `${prefix} ${line}`;
}

/** A bullet list of at most so many items, the rest counted. */
export function bulletList(items: readonly string[], maximum: number, noun: string): string[] {
  const shown = items.slice(0, maximum).map((item) => `- ${authoredLine(item)}`);
  const rest = items.length - shown.length;
  return rest > 0 ? [...shown, `- ... and ${rest} more ${noun}`] : shown;
}

/** A commit as `<short> <subject>`. */
export function commitText({ short, subject }: Commit): string {
  return `${short} ${subject}`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}(s)`;
}

/** What is not known, as a line of a derived body: a capital, no line of its own to pose with, a full stop. */
export function unknownLine(doubt: string): string {
  return `Unknown: ${authoredLine(doubt)}.`;
}
