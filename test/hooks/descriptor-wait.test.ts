import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitOn } from "../../src/hooks/descriptor-wait.ts";

let directory: string;
let pipe: number;
let writer: number;

/** Writes until nothing more goes into a pipe. */
function fill(descriptor: number): void {
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096));
  } catch {
    // It is full.
  }
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "mj-descriptor-wait-"));
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  writer = openSync(path, constants.O_WRONLY);
});
afterEach(() => {
  closeSync(pipe);
  rmSync(directory, { recursive: true, force: true });
});

describe("waiting for a descriptor without the event loop", () => {
  it("gives up, and sees what comes, again and again", () => {
    const wait = waitOn(pipe, "read");
    expect(wait?.(1)).toBe(false);
    writeSync(writer, "{");
    expect(wait?.(60_000)).toBe(true);
    // It has not been read: there still is something.
    expect(wait?.(0)).toBe(true);
    closeSync(writer);
  });

  it("sees the end", () => {
    const wait = waitOn(pipe, "read");
    closeSync(writer);
    expect(wait?.(60_000)).toBe(true);
  });

  it("sees when there is room to write", () => {
    const full = openSync(join(directory, "pipe"), constants.O_WRONLY | constants.O_NONBLOCK);
    const wait = waitOn(full, "write");
    expect(wait?.(60_000)).toBe(true);
    fill(full);
    expect(wait?.(1)).toBe(false);
    readSync(pipe, Buffer.alloc(64 * 1024));
    expect(wait?.(60_000)).toBe(true);
    closeSync(full);
    closeSync(writer);
  });

  it("leaves Node's warnings as they are", () => {
    const before = Object.getOwnPropertyDescriptor(process, "emitWarning");
    waitOn(pipe, "read");
    expect(Object.getOwnPropertyDescriptor(process, "emitWarning")).toEqual(before);
    closeSync(writer);
  });
});
