import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initialiseLayer } from "../../../src/core/boundary/initialise.ts";
import { resolveMemoryRoot } from "../../../src/core/capsule/memory-root.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const declared = (root: string): unknown =>
  JSON.parse(readFileSync(join(root, ".aigent/state.json"), "utf8"));

describe("where an initialised repository keeps its memory", () => {
  it("is the private half, declared, and made on first use", async () => {
    const root = scratchDirectory();
    const { written } = await initialiseLayer(root, { extend: false });
    expect(written).toContain(".aigent/state.json");
    expect(declared(root)).toEqual({
      schemaVersion: 1,
      status: "ready",
      completedAt: null,
      memory_root: ".ai/local/memory",
    });
    expect(resolveMemoryRoot(root)).toMatchObject({ source: "configured", exists: false });
    expect(existsSync(join(root, ".ai/local/memory"))).toBe(false);
    expect(await initialiseLayer(root, { extend: true })).toEqual({ written: [] });
  });

  it.each(["vault/memory", "memory"])("stays %s where that exists", async (path) => {
    const root = scratchDirectory();
    mkdirSync(join(root, path), { recursive: true });
    await initialiseLayer(root, { extend: false });
    expect(existsSync(join(root, ".aigent"))).toBe(false);
    expect(resolveMemoryRoot(root).relative).toBe(path);
  });

  it("is the place that was chosen, seeded so that a clone has it", async () => {
    const root = scratchDirectory();
    const { written } = await initialiseLayer(root, { extend: false, memoryRoot: "vault/memory" });
    expect(written).toEqual(expect.arrayContaining(["vault/memory/SESSION_LOG.md", ".aigent/state.json"]));
    expect(resolveMemoryRoot(root)).toMatchObject({
      relative: "vault/memory",
      source: "configured",
      exists: true,
    });
    expect(await initialiseLayer(root, { extend: true, memoryRoot: "vault/memory" })).toEqual({
      written: [],
    });
  });

  it.each(["../out", "/abs", "a\\b", "", ".git/x"])("refuses %j, and writes nothing", async (memoryRoot) => {
    const root = scratchDirectory();
    await expect(initialiseLayer(root, { extend: false, memoryRoot })).rejects.toMatchObject({
      code: "EMEMORYROOT",
      exit: 15,
    });
    expect(existsSync(join(root, ".ai"))).toBe(false);
  });

  it("refuses over a declaration that is broken, another one, or a link on the way", async () => {
    const broken = scratchDirectory();
    mkdirSync(join(broken, ".aigent"));
    writeFileSync(join(broken, ".aigent/state.json"), "{");
    await expect(initialiseLayer(broken, { extend: false })).rejects.toMatchObject({ exit: 15 });
    const other = scratchDirectory();
    mkdirSync(join(other, ".aigent"));
    writeFileSync(join(other, ".aigent/state.json"), '{"memory_root":"kept"}');
    await expect(initialiseLayer(other, { extend: false, memoryRoot: "memory" })).rejects.toMatchObject({
      code: "memory.declared",
      exit: 15,
    });
    expect(readFileSync(join(other, ".aigent/state.json"), "utf8")).toBe('{"memory_root":"kept"}');
    const linked = scratchDirectory();
    symlinkSync("/tmp", join(linked, "vault"));
    await expect(
      initialiseLayer(linked, { extend: false, memoryRoot: "vault/memory" }),
    ).rejects.toMatchObject({
      exit: 15,
    });
    for (const root of [broken, other, linked]) expect(existsSync(join(root, ".ai"))).toBe(false);
  });
});
