import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { listDirectory, readRegularFile, readText, stampOf } from "../../../src/core/fs/read.ts";
import { scratchDirectory } from "../../support/scratch.ts";

afterEach(() => injectFaults(undefined));

const ROOMY = { maximumBytes: 1 << 20 };

describe("a regular file", () => {
  test("is read byte for byte", () => {
    const path = join(scratchDirectory(), "file");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9000 }), (bytes) => {
        writeFileSync(path, bytes);
        const read = readRegularFile(path, ROOMY);
        expect(read.ok && Buffer.compare(read.value, bytes)).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test("may be exactly as large as allowed, and not a byte larger", () => {
    const path = join(scratchDirectory(), "file");
    writeFileSync(path, "12345");
    expect(readRegularFile(path, { maximumBytes: 5 }).ok).toBe(true);
    expect(readRegularFile(path, { maximumBytes: 4 })).toMatchObject({ error: { kind: "too-large", path } });
    expect(readRegularFile(path, { maximumBytes: 0 })).toMatchObject({ error: { kind: "too-large" } });
  });

  test("of many gigabytes is refused by its size, without being read", () => {
    const path = join(scratchDirectory(), "sparse");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
    expect(readRegularFile(path, ROOMY)).toMatchObject({ error: { kind: "too-large" } });
  });

  test.runIf(process.platform === "linux")("whose size is not told beforehand is read to its end", () => {
    const read = readRegularFile("/proc/self/maps", ROOMY);
    expect(read.ok && read.value.length).toBeGreaterThan(4096);
    expect(readRegularFile("/proc/self/maps", { maximumBytes: 100 })).toMatchObject({
      error: { kind: "too-large" },
    });
  });

  test("may have several names", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "one"), "text");
    linkSync(join(directory, "one"), join(directory, "two"));
    expect(readText(join(directory, "two"), ROOMY)).toEqual({ ok: true, value: "text" });
  });
});

describe("what is not a regular file is refused, at once and unopened", () => {
  test("a name that does not exist, also below a file", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "");
    for (const path of [join(directory, "none"), join(directory, "file", "below")]) {
      expect(readRegularFile(path, ROOMY)).toMatchObject({ error: { kind: "absent", path } });
    }
  });

  test("a FIFO that nobody writes to", () => {
    const path = join(scratchDirectory(), "fifo");
    execFileSync("mkfifo", [path]);
    expect(readRegularFile(path, ROOMY)).toMatchObject({
      error: { kind: "not-a-regular-file", message: "is a FIFO, not a regular file" },
    });
  });

  test.each(["/dev/zero", "/dev/null", "/dev/tty"])("the device %s", (path) => {
    expect(readRegularFile(path, ROOMY)).toMatchObject({ error: { kind: "not-a-regular-file" } });
  });

  test("a directory", () => {
    expect(readRegularFile(scratchDirectory(), ROOMY)).toMatchObject({
      error: { kind: "not-a-regular-file", message: "is a directory, not a regular file" },
    });
  });

  test("a symbolic link, wherever it leads", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "secret");
    for (const target of ["file", "none", "link", "/dev/zero"]) {
      const link = join(directory, `link-to-${target.replaceAll("/", "-")}`);
      symlinkSync(target, link);
      expect(readRegularFile(link, ROOMY)).toMatchObject({
        error: { kind: "not-a-regular-file", message: "is a symbolic link, not a regular file" },
      });
    }
  });

  test("a socket", async () => {
    const path = join(scratchDirectory(), "socket");
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(readRegularFile(path, ROOMY)).toMatchObject({ error: { kind: "not-a-regular-file" } });
  });

  test("a disk that fails is told as such, never as an absent file", () => {
    const path = join(scratchDirectory(), "file");
    writeFileSync(path, "text");
    for (const plan of ["EIO@1:open", "EACCES@1:open", "EIO@1:read"]) {
      injectFaults(parseFaultPlan(plan));
      expect(readRegularFile(path, ROOMY)).toMatchObject({ error: { kind: "unreadable", path } });
    }
  });
});

describe("text", () => {
  test("loses a leading byte order mark and no other", () => {
    const path = join(scratchDirectory(), "file");
    writeFileSync(path, "\uFEFFa\uFEFFb");
    expect(readText(path, ROOMY)).toEqual({ ok: true, value: "a\uFEFFb" });
  });

  test("shows bytes that are no UTF-8 as replacement characters", () => {
    const path = join(scratchDirectory(), "file");
    writeFileSync(path, Buffer.from([0x61, 0xff, 0xc3, 0x62]));
    expect(readText(path, ROOMY)).toEqual({ ok: true, value: "a\uFFFD\uFFFDb" });
  });
});

describe("a directory", () => {
  test("is listed in the order of the names' bytes", () => {
    const directory = scratchDirectory();
    const names = [".tmp.1", "A", "Z", "a", "é", "\uFFFD", "😀"];
    for (const name of names.toReversed()) writeFileSync(join(directory, name), "");
    expect(listDirectory(directory)).toEqual(names);
  });

  test("that is absent, or is none, has no entries", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "");
    symlinkSync("circle", join(directory, "circle"));
    for (const name of ["none", "file", "circle"]) expect(listDirectory(join(directory, name))).toEqual([]);
  });

  test("that is closed to us is an error and not an empty list", () => {
    const directory = scratchDirectory();
    injectFaults(parseFaultPlan("EACCES@1:read"));
    expect(() => listDirectory(directory)).toThrow(expect.objectContaining({ exit: 13, subject: directory }));
  });
});

describe("a stamp", () => {
  test("holds size and time, and is the same for an unchanged file", () => {
    const path = join(scratchDirectory(), "file");
    writeFileSync(path, "text");
    utimesSync(path, 1_700_000_000, 1_700_000_000.25);
    expect(stampOf(path)).toMatchObject({ size: 4, modified: 1_700_000_000_250 });
    expect(stampOf(path)).toEqual(stampOf(path));
  });

  test("differs between two files of the same content and time", () => {
    const directory = scratchDirectory();
    for (const name of ["one", "two"]) {
      writeFileSync(join(directory, name), "text");
      utimesSync(join(directory, name), 1, 1);
    }
    expect(stampOf(join(directory, "one"))).not.toEqual(stampOf(join(directory, "two")));
  });

  test("of an absent path is none, and of a link is the link's own", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "target"));
    symlinkSync("target", join(directory, "link"));
    expect(stampOf(join(directory, "none"))).toBeUndefined();
    expect(stampOf(join(directory, "link"))?.size).toBe("target".length);
  });
});
