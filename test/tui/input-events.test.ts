import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { createInputReader } from "../../src/tui/input-events.ts";

const NONE: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

function keysOf(input: string, key: Partial<Key> = {}): unknown[] {
  const read = createInputReader();
  return read(input, { ...NONE, ...key }).map((event) => ("key" in event ? event.key : event));
}

describe("the input reader", () => {
  it("takes a chunk apart into keys", () => {
    expect(keysOf("jjjjG")).toEqual(["j", "j", "j", "j", "G"]);
    expect(keysOf("j\tj\r")).toEqual(["j", "tab", "j", "enter"]);
    expect(keysOf("世é👍🏽")).toEqual(["世", "é", "👍🏽"]);
    expect(keysOf("a b\u007F")).toEqual(["a", "space", "b", "backspace"]);
  });

  it("names keys that are no characters", () => {
    expect(keysOf("", { upArrow: true })).toEqual(["up"]);
    expect(keysOf("", { tab: true, shift: true })).toEqual(["shift-tab"]);
    expect(keysOf("k", { ctrl: true })).toEqual(["ctrl-k"]);
    expect(keysOf("", { delete: true })).toEqual(["backspace"]);
    expect(keysOf("", { escape: true, meta: true })).toEqual(["escape"]);
  });

  it("drops mouse and focus reports and unknown sequences", () => {
    expect(keysOf("[<0;10;5M")).toEqual([]);
    expect(keysOf("[I")).toEqual([]);
    expect(keysOf("[15;2~")).toEqual([]);
    expect(keysOf("[")).toEqual(["["]);
  });

  it("gives back Escape and the key that came with it", () => {
    expect(keysOf("q", { meta: true })).toEqual(["escape", "q"]);
  });

  it("keeps a paste together, in however many chunks it comes", () => {
    const read = createInputReader();
    const events = [
      ["[200~", {}],
      ["first\rline", {}],
      ["", { return: true }],
      ["", { upArrow: true }],
      ["second", {}],
      ["[201~", {}],
      ["j", {}],
    ] as const;
    expect(events.flatMap(([input, key]) => read(input, { ...NONE, ...key }))).toEqual([
      { paste: "first\rline\nsecond" },
      { key: "j" },
    ]);
  });

  it("lets Ctrl-C out of a paste that never ends", () => {
    const read = createInputReader();
    read("[200~", NONE);
    expect(read("c", { ...NONE, ctrl: true })).toEqual([{ key: "ctrl-c" }]);
    expect(read("j", NONE)).toEqual([{ key: "j" }]);
  });
});
