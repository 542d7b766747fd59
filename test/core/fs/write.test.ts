import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { injectFaults, parseFaultPlan, type DiskOperation } from "../../../src/core/fs/fault.ts";
import {
  createExclusive,
  makeDirectory,
  moveFile,
  publishExclusive,
  removeFile,
  replaceLink,
  touchFile,
  writeAtomic,
} from "../../../src/core/fs/write.ts";
import { scratchDirectory } from "../../support/scratch.ts";

afterEach(() => injectFaults(undefined));

/** Every operation that a write goes through, as the injector sees it. */
function operationsOf(action: () => void): DiskOperation[] {
  const seen: DiskOperation[] = [];
  injectFaults({ before: (operation) => seen.push(operation) });
  action();
  injectFaults(undefined);
  return seen;
}

describe("writeAtomic", () => {
  test("writes any text and any bytes, and leaves nothing beside them", () => {
    const directory = scratchDirectory();
    const path = join(directory, "file");
    const content = fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(content, fc.boolean(), (data, durable) => {
        writeAtomic(path, data, { durable });
        expect(Buffer.compare(readFileSync(path), Buffer.from(data as string))).toBe(0);
        expect(readdirSync(directory)).toEqual(["file"]);
      }),
      { numRuns: 40 },
    );
  });

  test("a durable write syncs the file before the rename and the directory after it", () => {
    const path = join(scratchDirectory(), "file");
    expect(operationsOf(() => writeAtomic(path, "text", { durable: true }))).toEqual([
      "open",
      "write",
      "fsync",
      "rename",
      "fsync",
    ]);
    expect(operationsOf(() => writeAtomic(path, "text"))).toEqual(["open", "write", "rename"]);
  });

  test.each([0o600, 0o644, 0o666, 0o755])("gives exactly the mode %o when told to", (mode) => {
    const path = join(scratchDirectory(), "file");
    writeAtomic(path, "text", { mode });
    expect(statSync(path).mode & 0o777).toBe(mode);
  });

  test("four renames that fail for a moment are outlasted", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "old");
    injectFaults(parseFaultPlan("EPERM@1:rename;EACCES@2:rename;EBUSY@3x2:rename"));
    writeAtomic(join(directory, "file"), "new");
    expect(readFileSync(join(directory, "file"), "utf8")).toBe("new");
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  test.each(["ENOENT", "EXDEV", "ENOSPC", "EIO", "EROFS"])(
    "a rename that fails with %s fails at once",
    (errno) => {
      const directory = scratchDirectory();
      writeFileSync(join(directory, "file"), "old");
      injectFaults(parseFaultPlan(`${errno}@1:rename`));
      expect(() => writeAtomic(join(directory, "file"), "new")).toThrow(
        expect.objectContaining({ code: errno }),
      );
      expect(readFileSync(join(directory, "file"), "utf8")).toBe("old");
      expect(readdirSync(directory)).toEqual(["file"]);
    },
  );

  test("a rename that goes on failing is given up, and the old version stands", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "old");
    injectFaults(parseFaultPlan("EBUSY@1x99:rename"));
    expect(() => writeAtomic(join(directory, "file"), "new")).toThrow(
      expect.objectContaining({ code: "EBUSY" }),
    );
    expect(readFileSync(join(directory, "file"), "utf8")).toBe("old");
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  test.each([1, 2, 3])("a full disk at operation %i leaves the old version and no rubbish", (number) => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "old");
    injectFaults(parseFaultPlan(`ENOSPC@${number}`));
    const write = (): void => writeAtomic(join(directory, "file"), "new", { durable: true });
    expect(write).toThrow(
      expect.objectContaining({ code: "ENOSPC", path: expect.stringContaining(directory) }),
    );
    expect(readFileSync(join(directory, "file"), "utf8")).toBe("old");
    expect(readdirSync(directory)).toEqual(["file"]);
    write();
    expect(readFileSync(join(directory, "file"), "utf8")).toBe("new");
  });

  test("a link at the target is replaced and what it aims at is left alone", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "elsewhere"), "precious");
    symlinkSync("elsewhere", join(directory, "file"));
    writeAtomic(join(directory, "file"), "text");
    expect(lstatSync(join(directory, "file")).isFile()).toBe(true);
    expect(readFileSync(join(directory, "elsewhere"), "utf8")).toBe("precious");
  });

  test("a directory at the target, or none to write into, is an error", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "taken"));
    expect(() => writeAtomic(join(directory, "taken"), "text")).toThrow("EISDIR");
    expect(() => writeAtomic(join(directory, "none", "file"), "text")).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
    expect(readdirSync(directory)).toEqual(["taken"]);
  });
});

describe("createExclusive", () => {
  test("makes a file whole, once", () => {
    const directory = scratchDirectory();
    const path = join(directory, "file");
    expect(createExclusive(path, "first", { mode: 0o600, durable: true })).toBe(true);
    expect(createExclusive(path, "second")).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("first");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  test("a dangling link has the name too", () => {
    const directory = scratchDirectory();
    symlinkSync("none", join(directory, "file"));
    expect(createExclusive(join(directory, "file"), "text")).toBe(false);
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  test.each([1, 2, 3])("a full disk at operation %i leaves nothing at all", (number) => {
    const directory = scratchDirectory();
    injectFaults(parseFaultPlan(`ENOSPC@${number}`));
    expect(() => createExclusive(join(directory, "file"), "text")).toThrow("ENOSPC");
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("publishExclusive", () => {
  test("asks for another name while the names are taken", () => {
    const directory = scratchDirectory();
    for (const name of ["record-1", "record-2"]) writeFileSync(join(directory, name), "older");
    const path = publishExclusive(directory, (attempt) => `record-${attempt}`, "text", { mode: 0o600 });
    expect(path).toBe(join(directory, "record-3"));
    expect(readFileSync(path, "utf8")).toBe("text");
    expect(readFileSync(join(directory, "record-1"), "utf8")).toBe("older");
    expect(readdirSync(directory)).toEqual(["record-1", "record-2", "record-3"]);
  });

  test("gives up after ten names, overwrites none and leaves no rubbish", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "record"), "older");
    const asked: number[] = [];
    const publish = (): string =>
      publishExclusive(directory, (attempt) => (asked.push(attempt), "record"), "text");
    expect(publish).toThrow(expect.objectContaining({ exit: 13, subject: directory }));
    expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(readFileSync(join(directory, "record"), "utf8")).toBe("older");
    expect(readdirSync(directory)).toEqual(["record"]);
  });

  test("writes under the temporary name that the record format knows", () => {
    const directory = scratchDirectory();
    let during: string[] = [];
    publishExclusive(directory, () => ((during = readdirSync(directory)), "record"), "text");
    expect(during).toEqual([expect.stringMatching(/^\.tmp\.[0-9a-f]{6}$/)]);
  });

  test.each(["../escaped", "a/b", "", ".", "..", "a\0b", "a\\b"])("the name %j is refused", (name) => {
    const directory = scratchDirectory();
    expect(() => publishExclusive(directory, () => name, "text")).toThrow(
      expect.objectContaining({ exit: 15 }),
    );
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("makeDirectory", () => {
  test("makes all that is missing, and is content with what is there", () => {
    const path = join(scratchDirectory(), "a", "b", "c");
    makeDirectory(path, 0o700);
    makeDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test("a system that says 'exists' about a directory is believed", () => {
    const path = join(scratchDirectory(), "synced");
    mkdirSync(path);
    injectFaults(parseFaultPlan("EEXIST@1:mkdir"));
    makeDirectory(path);
    expect(readdirSync(path)).toEqual([]);
  });

  test("a link to a directory is one", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "real"));
    symlinkSync("real", join(directory, "link"));
    makeDirectory(join(directory, "link"));
    makeDirectory(join(directory, "link", "below"));
    expect(statSync(join(directory, "real", "below")).isDirectory()).toBe(true);
  });

  test.each([["file"], ["file", "below"], ["file", "far", "below"]])(
    "a file in the way is named (%s)",
    (...names) => {
      const directory = scratchDirectory();
      writeFileSync(join(directory, "file"), "");
      expect(() => makeDirectory(join(directory, ...names))).toThrow(
        expect.objectContaining({ exit: 13, subject: join(directory, "file") }),
      );
    },
  );

  test("a dangling link in the way is named", () => {
    const directory = scratchDirectory();
    symlinkSync("none", join(directory, "link"));
    expect(() => makeDirectory(join(directory, "link"))).toThrow(
      expect.objectContaining({ subject: join(directory, "link") }),
    );
  });
});

describe("removeFile, moveFile and touchFile", () => {
  test("a file is removed once, and a link without what it aims at", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "");
    symlinkSync("file", join(directory, "link"));
    expect(removeFile(join(directory, "link"))).toBe(true);
    expect(readdirSync(directory)).toEqual(["file"]);
    expect(removeFile(join(directory, "file"))).toBe(true);
    expect(removeFile(join(directory, "file"))).toBe(false);
    expect(removeFile(join(directory, "none", "file"))).toBe(false);
  });

  test("a directory is never removed", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "sub"));
    expect(() => removeFile(join(directory, "sub"))).toThrow(/EISDIR|EPERM/);
    expect(readdirSync(directory)).toEqual(["sub"]);
  });

  test("a file is moved, into a directory that is made for it", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "text");
    const to = join(directory, "ended", "deep", "file");
    expect(moveFile(join(directory, "file"), to)).toBe(true);
    expect(readFileSync(to, "utf8")).toBe("text");
    expect(readdirSync(directory)).toEqual(["ended"]);
  });

  test("a file that is not there is not moved, and no directory is made for it", () => {
    const directory = scratchDirectory();
    expect(moveFile(join(directory, "none"), join(directory, "ended", "none"))).toBe(false);
    expect(readdirSync(directory)).toEqual([]);
  });

  test("a touched file has the time that was asked for", () => {
    const path = join(scratchDirectory(), "file");
    writeFileSync(path, "");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        expect(touchFile(path, seconds * 1000)).toBe(true);
        expect(statSync(path).mtimeMs).toBe(seconds * 1000);
      }),
      { numRuns: 30 },
    );
    expect(touchFile(join(path, "none"), 0)).toBe(false);
  });

  test("touching a link does not reach what it aims at", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "");
    const before = statSync(join(directory, "file")).mtimeMs;
    symlinkSync("file", join(directory, "link"));
    expect(touchFile(join(directory, "link"), 1000)).toBe(true);
    expect(statSync(join(directory, "file")).mtimeMs).toBe(before);
  });
});

/** A directory with two things that a pointer may aim at. */
function store(): { directory: string; pointer: string } {
  const directory = scratchDirectory();
  mkdirSync(join(directory, "open"));
  for (const name of ["one", "two"]) writeFileSync(join(directory, "open", name), name);
  return { directory, pointer: join(directory, "pointer") };
}

describe("replaceLink", () => {
  test("aims a relative link, and aims it again", () => {
    const { directory, pointer } = store();
    replaceLink(pointer, "open/one");
    replaceLink(pointer, "open/two");
    expect(readlinkSync(pointer)).toBe("open/two");
    expect(readdirSync(directory)).toEqual(["open", "pointer"]);
  });

  test("an aim that was left by a dead process of our number is no hindrance", () => {
    const { directory, pointer } = store();
    writeFileSync(`${pointer}.mj-aim.${process.pid}`, "left");
    replaceLink(pointer, "open/one");
    expect(readlinkSync(pointer)).toBe("open/one");
    expect(readdirSync(directory)).toEqual(["open", "pointer"]);
  });

  test("replaces a file that stands in the link's place", () => {
    const { pointer } = store();
    writeFileSync(pointer, "inline");
    replaceLink(pointer, "open/one");
    expect(readFileSync(pointer, "utf8")).toBe("one");
  });

  test.each(["EPERM", "ENOTSUP", "ENOSYS"])("where links are refused (%s) the pointer is a copy", (errno) => {
    const { directory, pointer } = store();
    injectFaults(parseFaultPlan(`${errno}@1x2:symlink`));
    replaceLink(pointer, "open/one");
    replaceLink(pointer, "open/two");
    expect(lstatSync(pointer).isFile()).toBe(true);
    expect(readFileSync(pointer, "utf8")).toBe("two");
    expect(readdirSync(directory)).toEqual(["open", "pointer"]);
  });

  test("a full disk leaves the pointer where it aimed", () => {
    const { directory, pointer } = store();
    replaceLink(pointer, "open/one");
    for (const plan of ["ENOSPC@1:symlink", "ENOSPC@1:rename"]) {
      injectFaults(parseFaultPlan(plan));
      expect(() => replaceLink(pointer, "open/two")).toThrow(expect.objectContaining({ code: "ENOSPC" }));
      expect(readlinkSync(pointer)).toBe("open/one");
      expect(readdirSync(directory)).toEqual(["open", "pointer"]);
    }
  });

  test("an absolute aim is refused", () => {
    const { pointer } = store();
    expect(() => replaceLink(pointer, "/etc/passwd")).toThrow(expect.objectContaining({ exit: 15 }));
  });
});

test("a directory that is taken away during a write is an error, not a half file", () => {
  const directory = join(scratchDirectory(), "gone");
  mkdirSync(directory);
  chmodSync(directory, 0o700);
  injectFaults({ before: (operation) => operation === "rename" && rmSync(directory, { recursive: true }) });
  expect(() => writeAtomic(join(directory, "file"), "text")).toThrow(
    expect.objectContaining({ code: "ENOENT" }),
  );
});
