import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryRootError } from "../../../src/core/capsule/memory-declaration.ts";
import { resolveMemoryRoot } from "../../../src/core/capsule/memory-root.ts";
import { scratchDirectory } from "../../support/scratch.ts";

function install(marker?: unknown, ...directories: string[]): string {
  const base = scratchDirectory();
  for (const directory of directories) mkdirSync(join(base, directory), { recursive: true });
  if (marker !== undefined) {
    mkdirSync(join(base, ".aigent"), { recursive: true });
    const text = typeof marker === "string" ? marker : JSON.stringify(marker);
    writeFileSync(join(base, ".aigent/state.json"), text);
  }
  return base;
}

const faultOf = (base: string): string => {
  try {
    resolveMemoryRoot(base);
    return "none";
  } catch (error) {
    if (!(error instanceof MemoryRootError)) throw error;
    expect(error.code).toBe("EMEMORYROOT");
    expect(error.line).toMatch(/^MEMORY-ROOT: "/);
    return error.line;
  }
};

describe("an undeclared memory root", () => {
  it("is the first default that exists, else the first default", () => {
    expect(resolveMemoryRoot(install())).toMatchObject({
      relative: "vault/memory",
      source: "default",
      exists: false,
    });
    const base = install(undefined, "memory");
    expect(resolveMemoryRoot(base)).toEqual({
      root: join(base, "memory"),
      relative: "memory",
      source: "default",
      ledgers: { root: join(base, "memory"), relative: "memory" },
      exists: true,
    });
    const both = install({ schemaVersion: 1, memory_root: null }, "memory", "vault/memory");
    expect(resolveMemoryRoot(both)).toMatchObject({
      relative: "vault/memory",
      ledgers: { relative: "memory" },
      exists: true,
    });
  });

  it("is refused when it is a link or a file", () => {
    const base = install(undefined, "elsewhere");
    symlinkSync("elsewhere", join(base, "memory"));
    expect(faultOf(base)).toContain("symbolic link");
    const file = install();
    writeFileSync(join(file, "memory"), "");
    expect(faultOf(file)).toContain("not a directory");
  });
});

describe("a declared memory root", () => {
  it("is the only one, whatever else exists", () => {
    const base = install(
      "\ufeff" + JSON.stringify({ memory_root: " .nested/vault/memory " }),
      ".nested/vault/memory",
      "memory",
    );
    expect(resolveMemoryRoot(base)).toMatchObject({
      root: join(base, ".nested/vault/memory"),
      source: "configured",
      ledgers: { relative: ".nested/vault/memory" },
    });
  });

  it("may be missing below the private half, and where that is allowed", () => {
    expect(resolveMemoryRoot(install({ memory_root: ".ai/local/memory" }))).toMatchObject({ exists: false });
    const base = install({ memory_root: "kept" }, "vault/memory");
    expect(faultOf(base)).toContain("does not exist");
    expect(resolveMemoryRoot(base, { allowMissing: true })).toMatchObject({
      relative: "kept",
      exists: false,
    });
  });

  it.each([
    [5, "not a string"],
    ["  ", "empty"],
    ["x".repeat(241), "longer than 240"],
    ["a\u0007b", "control"],
    ["a\u202eb", "cannot be seen"],
    ["a\u200bb", "cannot be seen"],
    ["a\\b", "backslash"],
    ["\\\\host\\share", "backslash"],
    ["/abs", "absolute"],
    ["C:x", "absolute"],
    ["a/../b", "`..`"],
    ["..", "`..`"],
    ["a/", "segment"],
    ["./a", "segment"],
    ["a//b", "segment"],
    ["a/./b", "segment"],
    [".git/memory", ".git"],
    ["a/NUL", "not every system"],
    ["com1.x/memory", "not every system"],
    ["a./b", "not every system"],
  ])("%j is refused: %s", (memory_root, reason) => {
    expect(faultOf(install({ memory_root }, "vault/memory"))).toContain(reason);
  });

  it("of exactly 240 characters is taken", () => {
    const memory_root = `${"a".repeat(120)}/${"b".repeat(119)}`;
    expect(resolveMemoryRoot(install({ memory_root }, memory_root))).toMatchObject({ exists: true });
  });

  it("never lies behind a link, in a file, or beside a twin", () => {
    const linked = install({ memory_root: "a/b" }, "real/b");
    symlinkSync("real", join(linked, "a"));
    expect(faultOf(linked)).toContain("symbolic link");
    const file = install({ memory_root: "a/b" });
    writeFileSync(join(file, "a"), "");
    expect(faultOf(file)).toContain("not a directory");
    expect(faultOf(install({ memory_root: "Memory" }, "memory", "Memory"))).toContain("letter case");
  });
});

describe("the marker", () => {
  it.each([
    ["{", "not JSON"],
    ["[]", "not a JSON object"],
    ["null", "not a JSON object"],
    ['"memory"', "not a JSON object"],
  ])("that reads %s is refused: %s", (text, reason) => {
    expect(faultOf(install(text, "vault/memory"))).toContain(reason);
  });

  it("has no prototype to declare anything", () => {
    expect(resolveMemoryRoot(install('{"__proto__": {"memory_root": "/etc"}}'))).toMatchObject({
      source: "default",
    });
  });

  it("is refused as a link, in a linked directory, and as a directory", () => {
    const link = install({ memory_root: "memory" }, "memory");
    const other = install(undefined, ".aigent", "memory");
    symlinkSync(join(link, ".aigent/state.json"), join(other, ".aigent/state.json"));
    expect(faultOf(other)).toContain("symbolic link");
    const parent = install(undefined, "memory");
    symlinkSync(join(link, ".aigent"), join(parent, ".aigent"));
    expect(faultOf(parent)).toContain("symbolic link");
    expect(faultOf(install(undefined, ".aigent/state.json"))).toContain("cannot be read");
  });

  it("is refused where there is no install root", () => {
    expect(faultOf("  ")).toContain("no install root");
  });
});
