import { BEGIN_FRAME, CLEAR, END_FRAME, ENTER, LEAVE } from "./screen/terminal.ts";
import type { TerminalInput, TerminalOutput } from "./screen/terminal.ts";
import { paintLine } from "./screen/paint-line.ts";
import type { Size } from "./model/size.ts";

const FRAME_MILLISECONDS = 1000 / 30;
/** A window that is being dragged changes many times a second, and its terminal may still be busy with that. */
const SETTLED_MILLISECONDS = 400;
const FALLBACK: Size = { columns: 80, rows: 24 };

/**
 * Owns the terminal. Ink hands it whole frames; it sends the columns that changed, at most thirty times
 * a second, and gives the terminal back as it was in one synchronous step, from wherever that is needed.
 * (Ink's own full-screen output erases the scrollback at every frame.)
 */
export class Screen {
  readonly #output: TerminalOutput;
  readonly #input: TerminalInput;
  readonly #resizeListeners = new Set<() => void>();
  readonly #onBroken: () => void;
  #shown: readonly string[] = [];
  #frame: string | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #raw = false;
  #open = false;
  #listening = false;
  #broken = false;
  /** Everything on the terminal is unknown: the next frame starts from an empty screen. */
  #dirty = false;

  /** @param onBroken called once when the terminal can no longer be written to. */
  constructor(output: TerminalOutput, input: TerminalInput, onBroken: () => void = () => undefined) {
    this.#output = output;
    this.#input = input;
    this.#onBroken = onBroken;
  }

  get columns(): number {
    return this.#output.columns || FALLBACK.columns;
  }

  get rows(): number {
    return this.#output.rows || FALLBACK.rows;
  }

  get size(): Size {
    return { columns: this.columns, rows: this.rows };
  }

  /** Takes the terminal, and at once shows a first line in it. */
  open(firstLine = ""): void {
    if (this.#open) return;
    this.#open = true;
    // Never taken off again: the last write may fail after the end.
    if (!this.#listening) this.#output.on("error", this.#fail);
    this.#listening = true;
    this.#output.on("resize", this.#resized);
    this.#shown = [firstLine];
    // Keys that are pressed before ours are read stand on the screen: the first frame begins on an empty one.
    this.#dirty = true;
    this.#send(ENTER + firstLine);
  }

  /** Gives the terminal back, for good or for a while. Synchronous; a second call does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#output.off("resize", this.#resized);
    this.#setRawMode(false);
    this.#send(LEAVE);
  }

  /** Takes the terminal again and draws everything anew. */
  regain(): void {
    this.open();
    // The other program may have set its own modes: turning ours off first makes Node set them again.
    this.#setRawMode(false);
    this.#setRawMode(true);
    this.repaint();
    for (const listener of this.#resizeListeners) listener();
  }

  /** Draws the frame again on an empty screen. */
  repaint(): void {
    this.#dirty = true;
    this.#schedule(true);
  }

  /**
   * The window changed, or changed and became what it was: then a terminal may have cut off what it shows, and
   * nobody is told of a new size. Draws everything anew, and once more when the window has come to rest.
   */
  windowChanged(): void {
    if (!this.#open) return;
    this.repaint();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      this.repaint();
    }, SETTLED_MILLISECONDS);
    this.#settling.unref();
  }

  /** Takes a whole frame from Ink; only what differs from the screen will be sent. */
  write(frame: string): boolean {
    this.#frame = frame;
    this.#schedule(false);
    return true;
  }

  /** Sends a sequence that draws nothing. */
  control(sequence: string): void {
    if (this.#open) this.#send(sequence);
  }

  /** Whether the terminal is ours and takes what is written. */
  get isOpen(): boolean {
    return this.#open && !this.#broken;
  }

  /** A frame has been taken and is not on the terminal yet. */
  get pending(): boolean {
    return this.#timer !== undefined;
  }

  onResize(listener: () => void): () => void {
    this.#resizeListeners.add(listener);
    return () => this.#resizeListeners.delete(listener);
  }

  /** Ink asks to be told of resizes. It reads the size at each layout; a frame of the old tree is of no use. */
  on(): this {
    return this;
  }

  off(): this {
    return this;
  }

  readonly #resized = (): void => {
    this.windowChanged();
    for (const listener of this.#resizeListeners) listener();
  };

  readonly #fail = (): void => {
    if (this.#broken) return;
    this.#broken = true;
    this.close();
    this.#onBroken();
  };

  #setRawMode(raw: boolean): void {
    this.#raw = raw;
    try {
      if (this.#input.isTTY === true) this.#input.setRawMode?.(raw);
    } catch {
      // The terminal is gone: there is no mode left to restore.
    }
  }

  #schedule(later: boolean): void {
    if (!this.#open || this.#timer !== undefined) return;
    const wait = later ? FRAME_MILLISECONDS : FRAME_MILLISECONDS - (performance.now() - this.#drawnAt);
    if (wait <= 0) {
      this.#draw();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, wait);
  }

  #draw(): void {
    if (!this.#open || this.#frame === undefined) return;
    if (!this.#raw) this.#setRawMode(true);
    const { columns, rows } = this.size;
    const lines = this.#frame.split("\n").slice(0, rows);
    const before = this.#dirty ? [] : this.#shown;
    let changes = this.#dirty ? CLEAR : "";
    for (let row = 0; row < Math.max(lines.length, this.#shown.length); row++) {
      if (row >= rows) break;
      changes += paintLine(row, before[row] ?? "", lines[row] ?? "", columns);
    }
    this.#dirty = false;
    this.#shown = lines;
    this.#drawnAt = performance.now();
    if (changes !== "") this.#send(BEGIN_FRAME + changes + END_FRAME);
  }

  #send(text: string): void {
    if (this.#broken) return;
    try {
      this.#output.write(text);
    } catch {
      this.#fail();
    }
  }
}
