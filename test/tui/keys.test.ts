import { describe, expect, it } from "vitest";
import { keyMapOf, keysOf, keyText } from "../../src/tui/key-map.ts";
import { KEYS } from "../../src/tui/keys.ts";
import { helpLines } from "../../src/tui/model/help.ts";
import { textOf } from "../../src/tui/model/line.ts";
import { paletteEntries } from "../../src/tui/palette.ts";
import { ROW_KIND, VIEWS } from "../../src/tui/places.ts";
import { remapKeys } from "../../src/tui/remap.ts";
import { createConsoleStore } from "../../src/tui/store.ts";

describe("the key table", () => {
  it("gives no key two meanings, and every action once", () => {
    const keys = KEYS.flatMap((binding) => keysOf(binding, KEYS));
    expect(new Set(keys).size).toBe(keys.length);
    const actions = KEYS.map((binding) => binding.action);
    expect(new Set(actions).size).toBe(actions.length);
  });

  it("has the digits of the views that exist, and no other", () => {
    const digits = KEYS.flatMap((binding) => binding.keys).filter((key) => /^\d$/.test(key));
    expect(digits).toEqual(VIEWS.map((view) => view.digit));
  });

  it("is what the help shows", () => {
    const store = createConsoleStore(["/r"], { columns: 100, rows: 30 }, 0);
    const seen = new Set<string>();
    for (const view of VIEWS) {
      store.setState({ view: view.id });
      const help = helpLines(store.getState(), KEYS).map(textOf).join("\n");
      const kinds = view.panes.map((pane) => ROW_KIND[pane]);
      for (const binding of KEYS) {
        const here = binding.rows?.some((kind) => kinds.includes(kind)) ?? true;
        const shown = `${keysOf(binding, KEYS).map(keyText).join("  ").padEnd(16)} ${binding.title}`;
        expect(help.includes(shown), `${view.id}: ${binding.action}`).toBe(here);
        if (here) seen.add(binding.action);
      }
    }
    expect(seen.size).toBe(KEYS.length);
  });
});

describe("remapKeys", () => {
  it("leaves the table alone without a file", () => {
    expect(remapKeys(undefined)).toEqual({ bindings: KEYS, problems: [] });
  });

  it("moves actions, and lets two change places", () => {
    const { bindings, problems } = remapKeys({ recover: "c", close: ["r"], refresh: "ctrl-t" });
    expect(problems).toEqual([]);
    const map = keyMapOf(bindings);
    expect([map.get("c")?.action, map.get("r")?.action, map.get("ctrl-t")?.action]).toEqual([
      "recover",
      "close",
      "refresh",
    ]);
    expect(map.has("R")).toBe(false);
  });

  it("moves the keys that follow another one with it", () => {
    const { bindings, problems } = remapKeys({ new: "N", newCheckpoint: "k" });
    expect(problems).toEqual([]);
    const map = keyMapOf(bindings);
    expect([map.get("N k")?.action, map.get("N h")?.action, map.get("k")?.action, map.has("n c")]).toEqual([
      "newCheckpoint",
      "newHandover",
      "up",
      false,
    ]);
  });

  it.each([
    [{ newCheckpoint: "h" }, "h is already: new handover"],
    [{ recover: "j" }, "j is already: move down"],
    [{ fly: "z" }, "is not an action"],
    [{ recover: "7" }, "digits are the views'"],
    [{ recover: "rr" }, "rr is not a key"],
    [{ recover: "ctrl-m" }, "ctrl-m is not a key"],
    [{ "view:history": "8" }, "cannot be moved"],
    [{ recover: { key: "r" } }, "a key is a character"],
    [["r"], "a mapping of actions to keys is needed"],
  ])("refuses %j, says why, and keeps what was", (own, why) => {
    const { bindings, problems } = remapKeys(own);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(why);
    expect(bindings).toEqual(KEYS);
  });
});

describe("the palette", () => {
  it("finds actions by letters in order, best first", () => {
    const titles = paletteEntries(KEYS, "rec").map((entry) => entry.binding.action);
    expect(titles[0]).toBe("recover");
    expect(titles).toContain("recoverAll");
    expect(paletteEntries(KEYS, "wctx").map((entry) => entry.binding.action)).toContain("context");
    expect(paletteEntries(KEYS, "qqqq")).toEqual([]);
    expect(paletteEntries(KEYS, " ")).toHaveLength(KEYS.length);
  });
});
