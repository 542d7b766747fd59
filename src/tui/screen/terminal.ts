/** What the screen needs of `process.stdout`. */
export interface TerminalOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): boolean;
  on(event: "resize", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** What the screen needs of `process.stdin`. */
export interface TerminalInput {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

const CSI = "\u001B[";

/**
 * The alternate screen; no wrapping, so that a glyph which the terminal draws wider than we believe
 * spoils its own row alone; no cursor; pastes marked, so that they cannot act as keys.
 */
export const ENTER = `${CSI}?1049h${CSI}?7l${CSI}?25l${CSI}?2004h${CSI}2J${CSI}H`;

/** Undoes `ENTER`, in the opposite order. */
export const LEAVE = `${CSI}0m${CSI}?2004l${CSI}?25h${CSI}?7h${CSI}?1049l`;

export const CLEAR = `${CSI}0m${CSI}2J`;

/** Around a frame: a terminal that knows mode 2026 shows it whole or not at all. */
export const BEGIN_FRAME = `${CSI}?2026h`;
export const END_FRAME = `${CSI}?2026l`;

/** Puts text on the clipboard, in terminals that allow it. */
export function clipboardSequence(text: string): string {
  return `\u001B]52;c;${Buffer.from(text, "utf8").toString("base64")}\u0007`;
}
