import { asciiOf } from "./glyphs.ts";
import type { Line, Span, Tone } from "./model/line.ts";

/** How this console draws, the same for all its panes. */
export interface Look {
  colour: boolean;
  ascii: boolean;
  /** Linear text: no boxes, every row, nothing padded. */
  plain: boolean;
  /** The person's home directory, shown as `~`. */
  home: string | undefined;
  /** More than one repository is shown: rows name theirs. */
  several: boolean;
}

export const QUIET: Look = { colour: false, ascii: false, plain: false, home: undefined, several: false };

/** The sixteen colours that every terminal theme defines, so that ours fits into any of them. */
const CODES: Readonly<Record<Tone, string>> = {
  plain: "",
  accent: "36",
  good: "32",
  info: "94",
  warn: "33",
  bad: "31",
  muted: "2",
};

function styled(part: Span): string {
  const codes = [part.bold === true ? "1" : "", CODES[part.tone ?? "plain"]].filter((code) => code !== "");
  return codes.length === 0 ? part.text : `\u001B[${codes.join(";")}m${part.text}\u001B[0m`;
}

/** A line as the string that Ink lays out. */
export function drawLine(line: Line, look: Look): string {
  const text = line.map((part) => (look.colour ? styled(part) : part.text)).join("");
  return look.ascii ? asciiOf(text) : text;
}
