import { graphemesOf, widthOf } from "../cells.ts";

/** One grapheme on the screen: its text, the SGR codes that it is drawn with, its width in cells. */
export interface StyledCell {
  text: string;
  style: string;
  width: number;
}

export interface StyledLine {
  cells: readonly StyledCell[];
  /** Holds a grapheme whose width terminals disagree about. */
  risky: boolean;
}

const SGR = new RegExp(`${String.fromCodePoint(0x1b)}\\[([\\d;]*)m`, "g");
const SAFE =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u2400-\u243f\u2500-\u25fc\u2713\u2715\u2717]*$/;
/** Wide in every terminal since decades: CJK, kana, Hangul syllables, fullwidth forms. */
const SURELY_WIDE = /^[\u3000-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/;

/** Which kind of attribute an SGR code sets, and which code ends it. */
const ATTRIBUTES: readonly { codes: RegExp; ends: number; slot: string }[] = [
  { codes: /^[12]$/, ends: 22, slot: "weight" },
  { codes: /^3$/, ends: 23, slot: "italic" },
  { codes: /^4$/, ends: 24, slot: "underline" },
  { codes: /^7$/, ends: 27, slot: "inverse" },
  { codes: /^9$/, ends: 29, slot: "strike" },
  { codes: /^(3[0-8]|9[0-7])$/, ends: 39, slot: "foreground" },
  { codes: /^(4[0-8]|10[0-7])$/, ends: 49, slot: "background" },
];

function applyCodes(active: Map<string, string>, parameters: string): void {
  const codes = parameters === "" ? ["0"] : parameters.split(";");
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? "0";
    const extended = code === "38" || code === "48";
    const length = !extended ? 1 : codes[index + 1] === "2" ? 5 : 3;
    const whole = codes.slice(index, index + length).join(";");
    index += length - 1;
    if (code === "0") active.clear();
    for (const { codes: sets, ends, slot } of ATTRIBUTES) {
      if (sets.test(code)) active.set(slot === "weight" ? slot + code : slot, whole);
      if (code !== String(ends)) continue;
      active.delete(slot);
      active.delete(`${slot}1`);
      active.delete(`${slot}2`);
    }
  }
}

/** Reads a line of a frame, whose only escape sequences are colours, into its graphemes. */
export function readLine(line: string): StyledLine {
  const cells: StyledCell[] = [];
  const active = new Map<string, string>();
  let risky = false;
  let from = 0;
  const take = (text: string): void => {
    const style = [...active.values()].join(";");
    const safe = SAFE.test(text);
    for (const grapheme of graphemesOf(text)) {
      const width = widthOf(grapheme);
      const previous = cells.at(-1);
      if (width === 0 && previous !== undefined) {
        previous.text += grapheme;
        continue;
      }
      if (!safe && !SAFE.test(grapheme) && !SURELY_WIDE.test(grapheme)) risky = true;
      cells.push({ text: grapheme, style, width });
    }
  };
  for (const match of line.matchAll(SGR)) {
    take(line.slice(from, match.index));
    applyCodes(active, match[1] ?? "");
    from = match.index + match[0].length;
  }
  take(line.slice(from));
  return { cells, risky };
}
