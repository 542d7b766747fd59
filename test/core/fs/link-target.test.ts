import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveLinkTarget } from "../../../src/core/fs/link-target.ts";
import { writeAtomic } from "../../../src/core/fs/write.ts";
import { scratchDirectory } from "../../support/scratch.ts";

describe("a settings file that is a symbolic link", () => {
  test("is written where its chain ends, and stays a link", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "dotfiles"));
    writeFileSync(join(directory, "dotfiles", "settings.json"), "old");
    symlinkSync("dotfiles/settings.json", join(directory, "second"));
    symlinkSync(join(directory, "second"), join(directory, "first"));
    const target = resolveLinkTarget(join(directory, "first"));
    expect(target).toBe(join(directory, "dotfiles", "settings.json"));
    writeAtomic(target, "new");
    expect(readFileSync(join(directory, "first"), "utf8")).toBe("new");
    expect(readlinkSync(join(directory, "second"))).toBe("dotfiles/settings.json");
    expect(lstatSync(join(directory, "first")).isSymbolicLink()).toBe(true);
  });

  test("may dangle, when the directory that it aims into exists", () => {
    const directory = scratchDirectory();
    symlinkSync("not-yet", join(directory, "link"));
    writeAtomic(resolveLinkTarget(join(directory, "link")), "made");
    expect(readFileSync(join(directory, "link"), "utf8")).toBe("made");
  });

  test("is refused when that directory does not exist", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "");
    for (const target of ["none/settings.json", "file/settings.json"]) {
      const link = join(directory, target.replaceAll("/", "-"));
      symlinkSync(target, link);
      expect(() => resolveLinkTarget(link)).toThrow(expect.objectContaining({ exit: 10, subject: link }));
    }
  });

  test("counts the dots of its aim from where it really lies", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "a", "deep"), { recursive: true });
    writeFileSync(join(directory, "a", "settings.json"), "right");
    writeFileSync(join(directory, "settings.json"), "wrong");
    symlinkSync("a/deep", join(directory, "shortcut"));
    symlinkSync("../settings.json", join(directory, "a", "deep", "link"));
    expect(resolveLinkTarget(join(directory, "shortcut", "link"))).toBe(
      join(directory, "a", "settings.json"),
    );
  });

  test("is refused when it leads in a circle, or through more than ten links", () => {
    const directory = scratchDirectory();
    symlinkSync("two", join(directory, "one"));
    symlinkSync("one", join(directory, "two"));
    expect(() => resolveLinkTarget(join(directory, "one"))).toThrow(expect.objectContaining({ exit: 10 }));
    writeFileSync(join(directory, "link-0"), "");
    for (let number = 1; number <= 11; number += 1) {
      symlinkSync(`link-${number - 1}`, join(directory, `link-${number}`));
    }
    expect(resolveLinkTarget(join(directory, "link-10"))).toBe(join(directory, "link-0"));
    expect(() => resolveLinkTarget(join(directory, "link-11"))).toThrow(
      expect.objectContaining({ exit: 10 }),
    );
  });
});

test("what is no link is its own target, whether it exists or not", () => {
  const directory = scratchDirectory();
  writeFileSync(join(directory, "file"), "");
  for (const name of ["file", "none", "none/below"]) {
    expect(resolveLinkTarget(join(directory, name))).toBe(join(directory, name));
  }
});
