import { describe, expect, it } from "vitest";
import { isInScope } from "../../../src/core/labels/scope.ts";

describe("a scope", () => {
  it.each([
    ["lib/a.ts", ["lib"], true],
    ["lib", ["lib"], true],
    ["library/a.ts", ["lib"], false],
    ["lib/deep/a.ts", ["./lib/"], true],
    ["lib/a.ts", ["docs", "lib/a.ts"], true],
    ["lib/a.tsx", ["lib/a.ts"], false],
    ["anything", ["."], true],
    ["anything", ["./"], true],
    ["anything", [""], true],
    ["lib/new/", ["lib"], true],
    ["lib/a.ts", [], false],
    [".lib/a.ts", ["lib"], false],
    ["lib/a.ts", [".///lib"], true],
    ["lib/a.ts", ["././lib"], true],
    ["lib/a.ts", ["lib///"], true],
    ["x./lib/a.ts", ["xlib"], false],
    ["xlib/a.ts", ["x./lib"], false],
    ["lib/x/a.ts", ["lib/./x"], false],
  ] as const)("%s in %j: %s", (path, scope, inside) => {
    expect(isInScope(path, scope)).toBe(inside);
  });
});
