import headless from "@xterm/headless";
import fc from "fast-check";
import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { Screen } from "../../src/tui/screen.ts";
import { paintLine } from "../../src/tui/screen/paint-line.ts";

class FakeOutput extends EventEmitter {
  columns = 30;
  rows = 6;
  sent = "";
  broken = false;

  write(text: string): boolean {
    if (this.broken) throw new Error("EPIPE");
    this.sent += text;
    return true;
  }

  /** What was sent since the last look. */
  take(): string {
    const { sent } = this;
    this.sent = "";
    return sent;
  }
}

const input = { isTTY: true, setRawMode: vi.fn<() => void>() };

function open(): { screen: Screen; output: FakeOutput } {
  const output = new FakeOutput();
  const screen = new Screen(output, input);
  screen.open("header");
  return { screen, output };
}

async function shown(sequences: readonly string[], columns: number, rows: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  for (const sequence of sequences) await new Promise<void>((resolve) => terminal.write(sequence, resolve));
  return Array.from(
    { length: rows },
    (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? "",
  );
}

const glyph = fc.constantFrom("a", "b", " ", "─", "●", "世", "é", "x", "한");
const styled = fc
  .tuple(fc.constantFrom("", "\u001B[31m", "\u001B[1;36m", "\u001B[2m"), fc.array(glyph, { maxLength: 12 }))
  .map(([code, glyphs]) => (code === "" ? glyphs.join("") : `${code}${glyphs.join("")}\u001B[0m`));
const line = fc.array(styled, { maxLength: 3 }).map((parts) => parts.join(""));

function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what a style is made of.
  return text.replaceAll(/\u001B\[[\d;]*m/g, "").trimEnd();
}

describe("paintLine", () => {
  it("makes a row that shows one line show another", async () => {
    await fc.assert(
      fc.asyncProperty(line, line, async (before, after) => {
        const first = paintLine(0, "", before, 50);
        const rows = await shown([first, paintLine(0, before, after, 50)], 50, 1);
        expect(rows[0]?.trimEnd()).toBe(plain(after));
      }),
      { numRuns: 150 },
    );
  });

  it("sends nothing for the same line and little for one letter", () => {
    expect(paintLine(3, "│ same │", "│ same │", 80)).toBe("");
    expect(paintLine(3, "│ 14m │", "│ 15m │", 80)).toBe("\u001B[4;4H5");
    expect(paintLine(0, "word and more words", "word", 80)).toBe("\u001B[1;6H\u001B[K");
  });

  it("names the column after each grapheme of uncertain width", () => {
    expect(paintLine(0, "", "👍🏽 ok", 80)).toContain("👍🏽\u001B[3G");
  });
});

describe("Screen", () => {
  it("shows every frame as it is, whatever was there before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        async (frames) => {
          const { screen, output } = open();
          for (const frame of frames) {
            screen.write(frame.join("\n"));
            await vi.waitFor(() => expect(screen.pending).toBe(false), { interval: 2 });
          }
          const rows = await shown([output.sent], 30, 6);
          const wanted = frames.at(-1) ?? [];
          for (const [row, text] of rows.entries()) {
            const expected = plain(wanted[row] ?? "");
            if (expected.length <= 14) expect(text.trimEnd()).toBe(expected);
          }
          screen.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it("sends nothing for the same frame", async () => {
    const { screen, output } = open();
    screen.write("one\ntwo");
    await vi.waitFor(() => expect(output.sent).toContain("two"));
    output.take();
    screen.write("one\ntwo");
    await vi.waitFor(() => expect(screen.pending).toBe(false));
    expect(output.take()).toBe("");
    screen.close();
  });

  it("gathers frames that follow each other closely, and shows the last", async () => {
    const { screen, output } = open();
    screen.write("frame 0");
    output.take();
    for (let frame = 1; frame <= 20; frame++) screen.write(`frame ${frame}`);
    await vi.waitFor(() => expect(output.sent).toContain("20"));
    expect(output.take().match(/\?2026h/g)).toHaveLength(1);
    screen.close();
  });

  it("draws all of it again when the size changes or another program had the terminal", async () => {
    const { screen, output } = open();
    screen.write("one\ntwo");
    await vi.waitFor(() => expect(output.sent).toContain("two"));
    output.take();
    const resized = vi.fn<() => void>();
    screen.onResize(resized);
    output.columns = 20;
    output.emit("resize");
    expect(resized).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(output.sent).toContain("two"));
    screen.close();
    output.take();
    screen.regain();
    await vi.waitFor(() => expect(output.sent).toContain("one"));
    expect(output.sent).not.toContain("\u001B[3J");
    screen.close();
  });

  it("draws all of it again when the window changed and is as large as before, and once more at rest", async () => {
    const { screen, output } = open();
    screen.write("one\ntwo");
    await vi.waitFor(() => expect(output.sent).toContain("two"));
    output.take();
    for (let change = 0; change < 5; change++) screen.windowChanged();
    const wholeFrames = (): number => output.sent.split("\u001B[2J").length - 1;
    await vi.waitFor(() => expect(wholeFrames()).toBe(2), { timeout: 10_000 });
    expect(output.sent).toMatch(/two[\s\S]*two/);
    output.take();
    screen.close();
    screen.windowChanged();
    expect(output.sent).toBe("\u001B[0m\u001B[?2004l\u001B[?25h\u001B[?7h\u001B[?1049l");
  });

  it("begins its first frame on an empty screen, with the keys in its hands", async () => {
    const raw = vi.fn<(on: boolean) => void>();
    const output = new FakeOutput();
    const screen = new Screen(output, { isTTY: true, setRawMode: raw });
    screen.open("header");
    expect(raw).not.toHaveBeenCalled();
    // Whatever was typed until now was echoed by the terminal.
    output.take();
    screen.write("header");
    await vi.waitFor(() => expect(output.sent).toContain("header"));
    expect(output.sent).toContain("\u001B[2J");
    expect(raw.mock.calls).toEqual([[true]]);
    screen.close();
  });

  it("gives the terminal back once, and sends nothing after that", () => {
    const { screen, output } = open();
    screen.write("one");
    output.take();
    screen.close();
    expect(output.take()).toBe("\u001B[0m\u001B[?2004l\u001B[?25h\u001B[?7h\u001B[?1049l");
    screen.close();
    screen.write("two");
    screen.control("\u0007");
    expect(output.take()).toBe("");
  });

  it("ends quietly when the terminal is gone", () => {
    const output = new FakeOutput();
    const broken = vi.fn<() => void>();
    const screen = new Screen(output, input, broken);
    screen.open();
    output.broken = true;
    screen.write("one");
    output.emit("error", new Error("EIO"));
    expect(broken).toHaveBeenCalledOnce();
    expect(() => screen.close()).not.toThrow();
  });
});
