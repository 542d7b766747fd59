import type { LifecycleEvent } from "../core/boundary/event.ts";

/** Most bytes that a hook prints: Claude Code and Codex both deliver that much whole (providers.md 2.1). */
export const PRINT_BYTES = 9000;

/** Whose hooks may print, and on which events; what is not here prints nothing, ever. */
const PRINTERS: Readonly<Record<string, readonly LifecycleEvent["kind"][]>> = {
  "claude-code": ["start", "compact"],
};

/**
 * What goes to standard output for an event: plain text within the provider's limit, or nothing. Text of a
 * sub-agent's event would reach the wrong reader, so it has none.
 */
export function renderOutput(event: LifecycleEvent, text: string | undefined): string {
  if (text === undefined || !hears(event)) return "";
  // A resume procedure is measured where it is composed: fences, steps and declared lines are never cut.
  return event.source === "clear" ? text : boundText(text, PRINT_BYTES);
}

/** Whether what is printed for an event reaches the model that it is meant for. */
export function hears({ provider, kind, subagent }: LifecycleEvent): boolean {
  const kinds = Object.hasOwn(PRINTERS, provider) ? PRINTERS[provider] : undefined;
  return !subagent && kinds?.includes(kind) === true;
}

/**
 * A text of at most `maximumBytes` UTF-8 bytes. What is too long is cut at the end of a line, and a last line
 * says how much is missing; a first line that is too long by itself is cut between two characters.
 */
export function boundText(text: string, maximumBytes: number): string {
  if (Buffer.byteLength(text) <= maximumBytes) return text;
  const lines = text.replace(/\n+$/, "").split("\n");
  let bytes = 0;
  let kept = 0;
  for (const line of lines) {
    const grown = bytes + Buffer.byteLength(line) + 1;
    if (grown + Buffer.byteLength(withheld(lines.length - kept - 1)) > maximumBytes) break;
    bytes = grown;
    kept += 1;
  }
  if (kept > 0) return `${lines.slice(0, kept).join("\n")}\n${withheld(lines.length - kept)}`;
  const note = `…\n${withheld(lines.length - 1)}`;
  return `${cutBytes(lines[0] ?? "", maximumBytes - Buffer.byteLength(note))}${note}`;
}

function withheld(lines: number): string {
  return lines === 0 ? "" : `… ${lines} more ${lines === 1 ? "line" : "lines"} withheld`;
}

/** The longest beginning of at most `maximumBytes` bytes that splits no character. */
function cutBytes(text: string, maximumBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maximumBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
