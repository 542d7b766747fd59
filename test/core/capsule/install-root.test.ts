import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installBaseOf, installRootOf, mayHaveMemory } from "../../../src/core/capsule/install-root.ts";
import { scratchDirectory } from "../../support/scratch.ts";

describe("the install root", () => {
  it.each([undefined, "", "  ", "\t\n"])("is the work tree where the variable is %j", (value) => {
    expect(installRootOf({ AIGENT_ROOT: value }, "/work/tree")).toBe("/work/tree");
  });

  it("is what the variable names, whatever its letters", () => {
    expect(installRootOf({ AIGENT_ROOT: `/a b/'q" ünï` }, "/work/tree")).toBe(`/a b/'q" ünï`);
  });

  it("is diverted only by a variable that names something", () => {
    expect(installBaseOf({ AIGENT_STATE_HOME_DIR: " " }, "/w")).toEqual({ base: "/w", diverted: false });
    expect(installBaseOf({ AIGENT_STATE_HOME_DIR: "/elsewhere", AIGENT_ROOT: "/other" }, "/w")).toEqual({
      base: "/elsewhere",
      diverted: true,
    });
  });
});

describe("whether there is memory at all", () => {
  it.each(["memory", "vault/memory", ".aigent/state.json"])("is told by %s alone", (path) => {
    const base = scratchDirectory();
    expect(mayHaveMemory({ base, diverted: false })).toBe(false);
    mkdirSync(join(base, path), { recursive: true });
    expect(mayHaveMemory({ base, diverted: false })).toBe(true);
  });
});
