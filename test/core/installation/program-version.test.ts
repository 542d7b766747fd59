import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOnPath, isOlder, programVersion } from "../../../src/core/installation/program-version.ts";
import { findVersionFault } from "../../../src/core/installation/launcher-fault.ts";
import { scratchDirectory } from "../../support/scratch.ts";

function program(path: string, text: string, mode = 0o755): string {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function packaged(directory: string, version: string): string {
  mkdirSync(join(directory, "bin"), { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "majordomus", version }));
  return program(join(directory, "bin", "majordomus"), "#!/bin/sh\nexit 1\n");
}

describe("a program's version", () => {
  it("is what its package says, through a link as well", () => {
    const directory = scratchDirectory();
    const script = packaged(directory, "0.0.7");
    expect(programVersion(script)).toBe("0.0.7");
    const link = join(scratchDirectory(), "majordomus");
    symlinkSync(script, link);
    expect(programVersion(link)).toBe("0.0.7");
  });

  it("is what it prints where it has no package, and nothing where it tells none", () => {
    const directory = scratchDirectory();
    expect(programVersion(program(join(directory, "a"), "#!/bin/sh\necho tool 1.2.3\n"))).toBe("1.2.3");
    expect(programVersion(program(join(directory, "b"), "#!/bin/sh\necho no\n"))).toBeUndefined();
    expect(programVersion(program(join(directory, "c"), "#!/bin/sh\necho 1.2.3; exit 1\n"))).toBeUndefined();
    expect(programVersion(program(join(directory, "d"), "x", 0o644))).toBeUndefined();
    expect(programVersion(join(directory, "nowhere"))).toBeUndefined();
  });

  it.each([
    ["0.1.0", "0.1.0", false],
    ["0.0.9", "0.1.0", true],
    ["0.2.0", "0.1.9", false],
    ["1.10.0", "1.9.0", false],
    ["1.9.0", "1.10.0", true],
    ["0.0.9-beta", "0.0.10", true],
    ["none", "0.1.0", false],
  ])("%s before %s: %s", (version, than, older) => {
    expect(isOlder(version, than)).toBe(older);
  });

  it("is a fault of an installation when it is an older one", () => {
    const directory = scratchDirectory();
    const script = packaged(directory, "0.0.7");
    const launcher = { kind: "program", interpreter: process.execPath, script } as const;
    expect(findVersionFault(launcher, directory, "", "0.1.0")?.message).toContain("is version 0.0.7, older");
    expect(findVersionFault(launcher, directory, "", "0.0.7")).toBeUndefined();
    const onPath = [join(directory, "nowhere"), join(directory, "bin")].join(delimiter);
    expect(findVersionFault({ kind: "shim" }, directory, onPath, "0.1.0")?.message).toContain(script);
    expect(findVersionFault({ kind: "shim" }, directory, "", "0.1.0")).toBeUndefined();
  });
});

describe("a program on a search path", () => {
  it("is the first that may be started", () => {
    const [first, second] = [scratchDirectory(), scratchDirectory()];
    program(join(first, "tool"), "x", 0o644);
    const found = program(join(second, "tool"), "x");
    expect(findOnPath("tool", ["", first, second].join(delimiter))).toBe(found);
    expect(findOnPath("tool", first)).toBeUndefined();
  });
});
