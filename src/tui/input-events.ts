import type { Key } from "ink";
import { graphemesOf } from "./cells.ts";

/** One key by its name, or text that was pasted. */
export type InputEvent = { key: string } | { paste: string };

const PASTE_BEGINS = "[200~";
const PASTE_ENDS = "[201~";
/** What Ink leaves of a sequence that it does not know: a mouse report, a focus report, a function key. */
const UNKNOWN_SEQUENCE = /^(?:\[|O)[\d;<>=?]*[ -/]*[@-~]$/;

const NAMED: readonly [keyof Key, string][] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["backspace", "backspace"],
  // Ink 6 reports the Backspace key of most terminals as delete.
  ["delete", "backspace"],
];

const CONTROL: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\r\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\u007F": "backspace",
  "\u001B": "escape",
  " ": "space",
};

function keyName(grapheme: string): string {
  const named = CONTROL[grapheme];
  if (named !== undefined) return named;
  const code = grapheme.codePointAt(0) ?? 0;
  return code < 0x20 ? `ctrl-${String.fromCodePoint(code + 0x60)}` : grapheme;
}

function keysOf(input: string, key: Key): string[] {
  if (key.tab) return [key.shift ? "shift-tab" : "tab"];
  const named = NAMED.find(([flag]) => key[flag] === true);
  if (named !== undefined) return [named[1]];
  if (key.escape) return ["escape"];
  if (key.ctrl) return input.length === 1 ? [`ctrl-${input}`] : [];
  if (UNKNOWN_SEQUENCE.test(input) && input.length > 1) return [];
  const keys = graphemesOf(input).map(keyName);
  // Escape and the next key arrive together over a slow line; we bind no Alt keys.
  return key.meta && keys.length > 0 ? ["escape", ...keys] : keys;
}

/**
 * Makes a reader of what Ink hands over. Several keys may come in one chunk (auto-repeat, a slow line);
 * a paste comes between two marks, in any number of chunks, and never counts as keys.
 */
export function createInputReader(): (input: string, key: Key) => readonly InputEvent[] {
  let pasted: string | undefined;
  return (input, key) => {
    if (input === PASTE_BEGINS) {
      pasted = "";
      return [];
    }
    if (pasted === undefined)
      return input === PASTE_ENDS ? [] : keysOf(input, key).map((name) => ({ key: name }));
    if (input === PASTE_ENDS) {
      const text = pasted;
      pasted = undefined;
      return [{ paste: text }];
    }
    // A terminal that never ends its paste must not take the keyboard away.
    if (key.ctrl && input === "c") {
      pasted = undefined;
      return [{ key: "ctrl-c" }];
    }
    pasted += key.return ? "\n" : key.tab ? "\t" : key.ctrl || key.escape ? "" : input;
    return [];
  };
}
