import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendLines } from "../../../src/core/fs/append.ts";
import {
  scanLines,
  scanMatching,
  type ScanEnd,
  type ScanOptions,
  type VisitLine,
} from "../../../src/core/fs/scan.ts";
import { scratchDirectory } from "../../support/scratch.ts";

interface Line {
  offset: number;
  text: string;
}

/** The lines that a scan visits, and how it ended. */
function collect(scan: (visit: VisitLine) => ScanEnd): { lines: Line[]; end: ScanEnd } {
  const lines: Line[] = [];
  const end = scan((buffer, start, stop, offset) =>
    lines.push({ offset, text: buffer.toString("latin1", start, stop) }),
  );
  return { lines, end };
}

function linesOf(path: string, from = 0, options?: ScanOptions): { lines: Line[]; end: ScanEnd } {
  return collect((visit) => scanLines(path, from, visit, options));
}

function matchesIn(
  path: string,
  needle: string | Buffer,
  from = 0,
  options?: ScanOptions,
): ReturnType<typeof linesOf> {
  return collect((visit) => scanMatching(path, needle, from, visit, options));
}

/** The same, said as simply as it can be said. */
function expected(bytes: Buffer): { lines: Line[]; end: ScanEnd } {
  const pieces = bytes.toString("latin1").split("\n");
  const tornBytes = pieces.pop()?.length ?? 0;
  let offset = 0;
  const lines = pieces.map((piece) => {
    const line = { offset, text: piece.replace(/\r$/, "") };
    offset += piece.length + 1;
    return line;
  });
  return { lines, end: { consumed: bytes.length - tornBytes, size: bytes.length, tornBytes } };
}

// A small alphabet, so that line ends, carriage returns and repetitions meet in every way.
const content = fc
  .array(fc.constantFrom("a", "b", "ab", "\n", "\r", "\r\n", "\n\n", "\xff", "aab"), { maxLength: 40 })
  .map((pieces) => Buffer.from(pieces.join(""), "latin1"));
const needle = fc
  .array(fc.constantFrom("a", "b", "\r", "\n", "\xff"), { maxLength: 4 })
  .map((all) => all.join(""));
const chunkBytes = fc.integer({ min: 1, max: 24 });

describe("scanLines", () => {
  test("sees the same lines, whatever the chunks that are read", () => {
    const path = join(scratchDirectory(), "log");
    fc.assert(
      fc.property(content, chunkBytes, (bytes, size) => {
        writeFileSync(path, bytes);
        expect(linesOf(path, 0, { chunkBytes: size })).toEqual(expected(bytes));
        expect(linesOf(path)).toEqual(expected(bytes));
      }),
      { numRuns: 300 },
    );
  });

  test("goes on where it ended, and in the end has seen every line once", () => {
    const path = join(scratchDirectory(), "log");
    fc.assert(
      fc.property(fc.array(content, { maxLength: 5 }), chunkBytes, (pieces, size) => {
        writeFileSync(path, "");
        const seen: Line[] = [];
        let consumed = 0;
        for (const piece of pieces) {
          appendFileSync(path, piece);
          const { lines, end } = linesOf(path, consumed, { chunkBytes: size });
          seen.push(...lines);
          consumed = end.consumed;
        }
        expect(seen).toEqual(expected(Buffer.concat(pieces)).lines);
      }),
      { numRuns: 100 },
    );
  });

  test("with a bound sees just the lines that begin before it, so that ranges add up", () => {
    const path = join(scratchDirectory(), "log");
    fc.assert(
      fc.property(content, chunkBytes, fc.nat(80), (bytes, size, to) => {
        writeFileSync(path, bytes);
        const { lines } = expected(bytes);
        const first = linesOf(path, 0, { chunkBytes: size, to });
        expect(first.lines).toEqual(lines.filter(({ offset }) => offset < to));
        const second = linesOf(path, first.end.consumed, { chunkBytes: size });
        expect([...first.lines, ...second.lines]).toEqual(lines);
      }),
      { numRuns: 200 },
    );
  });

  test("reads back what was appended", () => {
    const path = join(scratchDirectory(), "log");
    const line = fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, ""));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        writeFileSync(path, "");
        const offsets = lines.map((text) => appendLines(path, [text]).offset);
        const seen: [number, string][] = [];
        scanLines(path, 0, (buffer, start, end, offset) =>
          seen.push([offset, buffer.toString("utf8", start, end)]),
        );
        expect(seen).toEqual(lines.map((text, index) => [offsets[index], text]));
      }),
      { numRuns: 50 },
    );
  });

  test("takes lines of many mebibytes", () => {
    const path = join(scratchDirectory(), "log");
    const long = ["x".repeat(5 << 20), "y".repeat((2 << 20) - 1), "z".repeat(2 << 20)];
    writeFileSync(path, `first\n${long.join("\n")}\nlast\ntorn`);
    const { lines, end } = linesOf(path);
    expect(lines.map(({ text }) => [text.length, text[0]])).toEqual([
      [5, "f"],
      [5 << 20, "x"],
      [(2 << 20) - 1, "y"],
      [2 << 20, "z"],
      [4, "l"],
    ]);
    expect(end.tornBytes).toBe(4);
  });

  test("skips and reports a line that is too long, whole or in pieces, and keeps its place", () => {
    const path = join(scratchDirectory(), "log");
    fc.assert(
      fc.property(content, chunkBytes, fc.integer({ min: 0, max: 8 }), (bytes, size, maximumLineBytes) => {
        writeFileSync(path, bytes);
        const skipped: [number, number][] = [];
        const { lines, end } = linesOf(path, 0, {
          chunkBytes: size,
          maximumLineBytes,
          onOversized: (offset, length) => skipped.push([offset, length]),
        });
        const all = expected(bytes);
        const lengthOf = (offset: number): number => bytes.indexOf("\n", offset) - offset;
        expect(lines).toEqual(all.lines.filter(({ offset }) => lengthOf(offset) <= maximumLineBytes));
        expect(skipped).toEqual(
          all.lines
            .map(({ offset }) => [offset, lengthOf(offset)])
            .filter(([, length = 0]) => length > maximumLineBytes),
        );
        expect(end).toEqual(all.end);
      }),
      { numRuns: 200 },
    );
  });

  test("may be asked for inside a visit", () => {
    const directory = scratchDirectory();
    const [outer, inner] = [join(directory, "outer"), join(directory, "inner")];
    writeFileSync(outer, "one\ntwo\n");
    writeFileSync(inner, "xxxxxxxxxxxx\n");
    const seen: string[] = [];
    scanLines(outer, 0, (buffer, start, end) => {
      seen.push(...linesOf(inner).lines.map(({ text }) => text));
      seen.push(buffer.toString("utf8", start, end));
    });
    expect(seen).toEqual(["xxxxxxxxxxxx", "one", "xxxxxxxxxxxx", "two"]);
  });

  test("a visit that throws ends the scan, and the next scan is whole", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, "one\ntwo\n");
    const throwing = (): ScanEnd =>
      scanLines(path, 0, () => {
        throw new Error("enough");
      });
    expect(throwing).toThrow("enough");
    expect(linesOf(path).lines.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("leaves what is written during the scan to the next one", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, "one\n");
    const end = scanLines(path, 0, () => appendFileSync(path, "two\n"));
    expect(end).toEqual({ consumed: 4, size: 4, tornBytes: 0 });
    expect(linesOf(path, end.consumed).lines).toEqual([{ offset: 4, text: "two" }]);
  });

  test("tells that the file was cut below the place to go on from", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, "one\ntwo\n");
    truncateSync(path, 4);
    expect(linesOf(path, 8)).toEqual({ lines: [], end: { consumed: 8, size: 4, tornBytes: 0 } });
  });

  test("an absent file has no lines, and what is no file is refused", () => {
    const directory = scratchDirectory();
    const nothing = { lines: [], end: { consumed: 0, size: 0, tornBytes: 0 } };
    expect(linesOf(join(directory, "none"))).toEqual(nothing);
    expect(linesOf(join(directory, "none"), 7)).toEqual(nothing);
    mkdirSync(join(directory, "directory"));
    symlinkSync("/dev/zero", join(directory, "link"));
    for (const name of ["directory", "link"]) {
      expect(() => linesOf(join(directory, name))).toThrow(expect.objectContaining({ exit: 13 }));
    }
  });
});

describe("scanMatching", () => {
  test("sees just those lines of scanLines that contain the needle", () => {
    const path = join(scratchDirectory(), "log");
    fc.assert(
      fc.property(content, needle, chunkBytes, fc.nat(80), (bytes, wanted, size, to) => {
        writeFileSync(path, bytes);
        const options = { chunkBytes: size, to };
        const all = linesOf(path, 0, options);
        const matches = matchesIn(path, Buffer.from(wanted, "latin1"), 0, options);
        expect(matches.lines).toEqual(all.lines.filter(({ text }) => text.includes(wanted)));
        expect(matches.end).toEqual(all.end);
      }),
      { numRuns: 500 },
    );
  });

  test("compares the bytes of a needle that is not ASCII", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, "naïve\nnaive\n日本\n");
    expect(matchesIn(path, "naïve").lines.map(({ offset }) => offset)).toEqual([0]);
    expect(matchesIn(path, "日本").lines.map(({ offset }) => offset)).toEqual([13]);
  });

  test("reports a matching line that is too long", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, "a needle\na needle in much hay\nhay\n");
    const skipped: number[] = [];
    const options = { maximumLineBytes: 8, onOversized: (offset: number) => skipped.push(offset) };
    expect(matchesIn(path, "needle", 0, options).lines).toEqual([{ offset: 0, text: "a needle" }]);
    expect(skipped).toEqual([9]);
  });
});
