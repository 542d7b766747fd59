/**
 * What a terminal, a log line or a prompt must never receive raw: controls (C0, DEL, C1), line and
 * paragraph separators, lone surrogates, bidirectional controls, and everything that Unicode lets a
 * renderer draw as nothing (zero-width marks, tags, variation selectors, fillers).
 */
function hidden(flags: "u" | "gu"): RegExp {
  return new RegExp(
    "[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u{fff9}-\\u{fffb}]",
    flags,
  );
}

/** Made at the first use: reading these properties costs a process milliseconds, and a heartbeat shows no text. */
let patterns: { any: RegExp; each: RegExp } | undefined;

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = "\u2421";
/** Text and emoji presentation selectors: terminals disagree on their width, and no meaning is lost without them. */
const PRESENTATION_SELECTORS: ReadonlySet<string> = new Set(["\ufe0e", "\ufe0f"]);

function visibleForm(character: string): string {
  if (PRESENTATION_SELECTORS.has(character)) return "";
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
  if (code === DELETE) return DELETE_PICTURE;
  return `\\u{${code.toString(16)}}`;
}

/** Most text, which the patterns need not be made for. */
function isPrintableAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code >= DELETE) return false;
  }
  return true;
}

/**
 * Makes text from disk or a provider safe to show: one physical line without a single character that
 * could move a cursor, hide, reorder or start an escape sequence. C0 controls become their pictures
 * (`␛`), other hidden characters `\u{…}`; printable text is unchanged. The one exception: the
 * presentation selectors U+FE0E and U+FE0F are dropped. Idempotent. JSON output never passes here.
 */
export function inert(text: string): string {
  if (isPrintableAscii(text)) return text;
  patterns ??= { any: hidden("u"), each: hidden("gu") };
  return patterns.any.test(text) ? text.replace(patterns.each, visibleForm) : text;
}

/** Splits text at its line breaks (CRLF, LF, CR) and makes each line inert. */
export function inertLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map(inert);
}

/** Cuts text to at most `maximum` code points; the last one is `…` where something was cut. */
export function clip(text: string, maximum: number): string {
  // A string has never more code points than code units: no need to look closer.
  if (text.length <= maximum) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (kept.length === maximum) return maximum > 0 ? `${kept.slice(0, -1).join("")}…` : "";
    kept.push(character);
  }
  return text;
}
