/** Terminal sequences (CSI, OSC and the two-character ones), such as the markers around a paste. */
const SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-Z\\^-~]/gu;
const LINE_BREAKS = /\r\n|\r/g;
/** Controls that no text needs: all but the newline and the tab. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
const FOLDED = /[\n\t\u2028\u2029]+ */g;

/**
 * What a person or a worker wrote, as it is stored: no byte order mark, one kind of line end, no terminal
 * sequences, no controls but newlines and tabs, no half characters. Everything else is kept.
 */
export function authoredText(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replaceAll(LINE_BREAKS, "\n")
    .replaceAll(SEQUENCES, "")
    .replaceAll(CONTROLS, "")
    .replaceAll(/\p{Cs}/gu, "\ufffd");
}

/** Authored text as one line: every line break and tab is a blank, and none stands at an end. */
export function authoredLine(text: string): string {
  return authoredText(text).replaceAll(FOLDED, " ").trim();
}
