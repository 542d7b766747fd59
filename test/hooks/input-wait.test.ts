import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitOn } from "../../src/hooks/input-wait.ts";

let directory: string;
let pipe: number;
let writer: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "mj-input-wait-"));
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  writer = openSync(path, constants.O_WRONLY);
});
afterEach(() => {
  closeSync(pipe);
  rmSync(directory, { recursive: true, force: true });
});

describe("waiting for input without the event loop", () => {
  it("gives up, and sees what comes, again and again", () => {
    const wait = waitOn(pipe);
    expect(wait?.(1)).toBe(false);
    writeSync(writer, "{");
    expect(wait?.(60_000)).toBe(true);
    // It has not been read: there still is something.
    expect(wait?.(0)).toBe(true);
    closeSync(writer);
  });

  it("sees the end", () => {
    const wait = waitOn(pipe);
    closeSync(writer);
    expect(wait?.(60_000)).toBe(true);
  });

  it("leaves Node's warnings as they are", () => {
    const before = Object.getOwnPropertyDescriptor(process, "emitWarning");
    waitOn(pipe);
    expect(Object.getOwnPropertyDescriptor(process, "emitWarning")).toEqual(before);
    closeSync(writer);
  });
});
