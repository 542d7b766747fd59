import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { writeOutput } from "../../src/hooks/output.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "mj-output-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

function newPipe(): { reader: number; writer: number } {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return { reader, writer };
}

describe("what a provider is told", () => {
  it("arrives whole in a pipe and in a file", () => {
    const { reader, writer } = newPipe();
    const text = "Tide å日本\n".repeat(500);
    expect(writeOutput(writer, text)).toBeUndefined();
    const bytes = Buffer.alloc(64 * 1024);
    expect(bytes.toString("utf8", 0, readSync(reader, bytes))).toBe(text);
    closeSync(reader);
    closeSync(writer);
    const file = openSync(join(directory, "file"), "w");
    expect(writeOutput(file, text)).toBeUndefined();
    closeSync(file);
    expect(readFileSync(join(directory, "file"), "utf8")).toBe(text);
  });

  it("is given up where nobody reads", () => {
    const { reader, writer } = newPipe();
    expect(writeOutput(writer, "x".repeat(1024 * 1024), 50)).toBe("nobody read it within 50 ms");
    closeSync(reader);
    closeSync(writer);
  });

  it("is known not to arrive where the reader left, or nothing is open", () => {
    const { reader, writer } = newPipe();
    closeSync(reader);
    expect(writeOutput(writer, "text")).toMatch(/EPIPE/);
    closeSync(writer);
    expect(writeOutput(writer, "text")).toMatch(/EBADF/);
    expect(writeOutput(writer, "")).toBeUndefined();
  });

  it("stands behind what waits in the pipe already", () => {
    const { reader, writer } = newPipe();
    writeSync(writer, "before ");
    expect(writeOutput(writer, "text")).toBeUndefined();
    const bytes = Buffer.alloc(100);
    expect(bytes.toString("utf8", 0, readSync(reader, bytes))).toBe("before text");
    closeSync(reader);
    closeSync(writer);
  });
});
