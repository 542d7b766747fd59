/** Symbols of the chrome: each is one cell wide in every terminal that we know. */
export const GLYPH = {
  cursor: "▸",
  marked: "✓",
  alive: "●",
  elsewhere: "○",
  unknown: "◐",
  foreign: "◌",
  gone: "✕",
  none: "—",
  dot: "·",
  arrow: "→",
  cut: "…",
  exact: "✓",
  diverged: "✗",
} as const;

/** Rising bars, from an empty hour to the fullest one. */
export const BARS = "▁▂▃▄▅▆▇█";

const ASCII: Readonly<Record<string, string>> = {
  "─": "-",
  "│": "|",
  "┌": "+",
  "┐": "+",
  "└": "+",
  "┘": "+",
  "▸": ">",
  "●": "*",
  "○": "o",
  "◐": "?",
  "◌": "-",
  "✕": "x",
  "✗": "x",
  "✓": "v",
  "—": "-",
  "–": "-",
  "·": "-",
  "→": ">",
  "…": "~",
  "↑": "^",
  "↓": "v",
  "←": "<",
  "“": '"',
  "”": '"',
  "▁": "_",
  "▂": ".",
  "▃": ":",
  "▄": "-",
  "▅": "=",
  "▆": "+",
  "▇": "*",
  "█": "#",
  "░": ".",
  "×": "x",
  "╯": "'",
  "┴": "+",
  "┼": "+",
  "┬": "+",
  "├": "+",
};
const DRAWN = new RegExp(`[${Object.keys(ASCII).join("")}]`, "gu");

/** Puts an ASCII character of the same width in the place of each symbol that we draw. */
export function asciiOf(text: string): string {
  return text.replace(DRAWN, (symbol) => ASCII[symbol] ?? "?");
}
