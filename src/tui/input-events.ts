import { graphemesOf } from "./cells.ts";

/** One key by its name, or text that was pasted. */
export type InputEvent = { key: string } | { paste: string };

const ESCAPE = "\u001B";
const PASTE_BEGINS = `${ESCAPE}[200~`;
const PASTE_ENDS = `${ESCAPE}[201~`;
/** The first half of such a mark: over a slow line it may come alone, and nobody types it. */
const HALF_A_MARK = new RegExp(`^${ESCAPE}\\[20?[01]?$`);
/** How long a paste is silent before Ctrl-C is a key again, milliseconds; inside one nothing is silent that long. */
const SILENCE = 300;

/** The last letter or the number of a sequence, with or without modifiers, and the key that sends it. */
const BY_LETTER: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift-tab",
};
const BY_NUMBER: Readonly<Record<string, string>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
};
const LETTER = new RegExp(`^${ESCAPE}{1,2}(?:O|\\[(?:1;\\d+)?)([A-Z])$`);
const NUMBER = new RegExp(`^${ESCAPE}{1,2}\\[(\\d+)(?:;\\d+)?~$`);
/** Any other sequence: a mouse report, a focus report, a function key. */
const SEQUENCE = new RegExp(`^${ESCAPE}{1,2}(?:\\[|O.)`);

const CONTROL: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\r\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\u007F": "backspace",
  [ESCAPE]: "escape",
  " ": "space",
};

function keyName(grapheme: string): string {
  const named = CONTROL[grapheme];
  if (named !== undefined) return named;
  const code = grapheme.codePointAt(0) ?? 0;
  return code < 0x20 ? `ctrl-${String.fromCodePoint(code + 0x60)}` : grapheme;
}

function keysOf(input: string): string[] {
  const letter = LETTER.exec(input)?.[1];
  const number = NUMBER.exec(input)?.[1];
  const named = letter === undefined ? BY_NUMBER[number ?? ""] : BY_LETTER[letter];
  if (named !== undefined) return [named];
  // Alt-[ is no key of ours, and a sequence that we do not know is none at all.
  if (input.length > 2 && SEQUENCE.test(input)) return [];
  // Escape and the next key arrive together over a slow line; we bind no Alt keys.
  return graphemesOf(input).map(keyName);
}

/**
 * Makes a reader of raw input: text, or one escape sequence, at a time. Several keys may come in one text
 * (auto-repeat, a slow line); a paste comes between two marks, in any number of pieces, and never counts as
 * keys, whatever sequences it holds.
 *
 * @param clock milliseconds
 */
export function createInputReader(
  clock: () => number = () => performance.now(),
): (input: string) => readonly InputEvent[] {
  let pasted: string | undefined;
  let half = "";
  let heardAt = 0;
  return (piece) => {
    const input = half + piece;
    half = HALF_A_MARK.test(input) ? input : "";
    if (half !== "") return [];
    const silence = clock() - heardAt;
    heardAt += silence;
    if (input === PASTE_BEGINS && pasted === undefined) {
      pasted = "";
      return [];
    }
    if (pasted === undefined) return input === PASTE_ENDS ? [] : keysOf(input).map((name) => ({ key: name }));
    if (input === PASTE_ENDS) {
      const text = pasted;
      pasted = undefined;
      return [{ paste: text }];
    }
    // A terminal that never ends its paste must not take the keyboard away.
    if (input === "\u0003" && silence >= SILENCE) {
      pasted = undefined;
      return [{ key: "ctrl-c" }];
    }
    pasted += input;
    return [];
  };
}
