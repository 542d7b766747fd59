import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createInputReader } from "../../src/tui/input-events.ts";
import type { InputEvent } from "../../src/tui/input-events.ts";

const ESC = "\u001B";

function keysOf(...pieces: string[]): unknown[] {
  const read = createInputReader(() => 0);
  return pieces.flatMap((piece) => read(piece)).map((event) => ("key" in event ? event.key : event));
}

describe("the input reader", () => {
  it("takes a text apart into keys", () => {
    expect(keysOf("jjjjG")).toEqual(["j", "j", "j", "j", "G"]);
    expect(keysOf("j\tj\r")).toEqual(["j", "tab", "j", "enter"]);
    expect(keysOf("世é👍🏽")).toEqual(["世", "é", "👍🏽"]);
    expect(keysOf("a b\u007F")).toEqual(["a", "space", "b", "backspace"]);
    expect(keysOf("\u000B\u0013\u0003")).toEqual(["ctrl-k", "ctrl-s", "ctrl-c"]);
  });

  it("names keys that are no characters, with modifiers or without", () => {
    expect(keysOf(`${ESC}[A`, `${ESC}OB`, `${ESC}[1;5C`, `${ESC}${ESC}[D`)).toEqual([
      "up",
      "down",
      "right",
      "left",
    ]);
    expect(keysOf(`${ESC}[Z`, `${ESC}[5~`, `${ESC}[6;5~`, `${ESC}[H`, `${ESC}[4~`, `${ESC}[3~`)).toEqual([
      "shift-tab",
      "pageup",
      "pagedown",
      "home",
      "end",
      "delete",
    ]);
    expect(keysOf(ESC)).toEqual(["escape"]);
  });

  it("drops mouse and focus reports and unknown sequences", () => {
    expect(keysOf(`${ESC}[<0;10;5M`, `${ESC}[I`, `${ESC}[15;2~`, `${ESC}[31m`, `${ESC}OP`)).toEqual([]);
    expect(keysOf(`${ESC}[27;5;9~`, `${ESC}[99;5u`, `${ESC}[[A`)).toEqual([]);
    expect(keysOf("[")).toEqual(["["]);
  });

  it("gives back Escape and the key that came with it", () => {
    expect(keysOf(`${ESC}q`)).toEqual(["escape", "q"]);
  });

  it("keeps a paste together, in however many pieces it comes, and whatever it holds", () => {
    const pieces = [
      `${ESC}[200~`,
      "first\rline",
      "\r",
      `${ESC}[A`,
      `${ESC}[31m`,
      "\u0003",
      `${ESC}[201~`,
      "j",
    ];
    expect(keysOf(...pieces)).toEqual([{ paste: `first\rline\r${ESC}[A${ESC}[31m\u0003` }, "j"]);
  });

  it("knows the marks of a paste that come in two halves", () => {
    expect(keysOf(`${ESC}[20`, "0~", "text", `${ESC}[`, `${ESC}[201`, "~")).toEqual([
      { paste: `text${ESC}[` },
    ]);
  });

  it("lets Ctrl-C out of a paste that never ends", () => {
    let now = 0;
    const read = createInputReader(() => now);
    read(`${ESC}[200~`);
    read("text");
    expect(read("\u0003")).toEqual([]);
    now += 1000;
    expect(read("\u0003")).toEqual([{ key: "ctrl-c" }]);
    expect(read("j")).toEqual([{ key: "j" }]);
  });

  it("survives anything, and hands over each paste as it is", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.constantFrom(ESC, `${ESC}[31m`, `${ESC}[1;5x`, `${ESC}]52;c;`, `${ESC}O`, "\r", "\u0003"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const read = createInputReader(() => 0);
        const plain = pieces.filter((text) => !/^\u001B\[20?[01]?$/.test(text));
        const events: InputEvent[] = [`${ESC}[200~`, ...plain, `${ESC}[201~`].flatMap((text) => read(text));
        expect(events).toEqual([{ paste: plain.join("") }]);
        for (const text of pieces) for (const event of read(text)) expect("key" in event).toBe(true);
      }),
    );
  });
});
