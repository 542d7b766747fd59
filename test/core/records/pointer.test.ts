import { lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PointerPlace } from "../../../src/core/records/pointer.ts";
import { aimPointer, clearPointer, readPointer } from "../../../src/core/records/pointer.ts";
import { ORIGINAL_STATE, temporaryDirectory, textsOf } from "./fixtures.ts";

function place(): PointerPlace {
  const state = temporaryDirectory();
  const sessionsOpen = join(state, "sessions-open");
  mkdirSync(sessionsOpen);
  for (const [name, text] of textsOf(join(ORIGINAL_STATE, "sessions-open"), ".yaml"))
    writeFileSync(join(sessionsOpen, name), text);
  return { pointer: join(state, "session-current.yaml"), sessionsOpen };
}

describe("the pointer", () => {
  test("is a relative link into the store, aimed and aimed again", () => {
    const here = place();
    expect(readPointer(here)).toMatchObject({ layout: "absent", resolves: false });
    aimPointer(here, "cc-1");
    expect(readlinkSync(here.pointer)).toBe("sessions-open/cc-1.yaml");
    expect(readPointer(here)).toMatchObject({
      layout: "pointer",
      target: "sessions-open/cc-1.yaml",
      key: "cc-1",
      sessionId: "s-20260907070000-9d9d",
      resolves: true,
    });
    aimPointer(here, "hand");
    expect(readPointer(here)).toMatchObject({ key: "hand", sessionId: "s-20260907070000-1212" });
  });

  test("is cleared without touching what it names", () => {
    const here = place();
    aimPointer(here, "hand");
    expect(clearPointer(here)).toBe(true);
    expect(clearPointer(here)).toBe(false);
    expect(lstatSync(join(here.sessionsOpen, "hand.yaml")).isFile()).toBe(true);
  });

  test("that dangles says so", () => {
    const here = place();
    aimPointer(here, "gone");
    const pointer = readPointer(here);
    expect(pointer).toMatchObject({ layout: "pointer", key: "gone", resolves: false });
    expect(pointer.note).toContain("there is no such file");
  });

  test("that holds an episode itself is the layout from before there were keys", () => {
    const here = place();
    const [, text] = textsOf(join(ORIGINAL_STATE, "sessions-open"), ".yaml")[0] ?? ["", ""];
    writeFileSync(here.pointer, text);
    expect(readPointer(here)).toMatchObject({
      layout: "inline",
      sessionId: "s-20260907070000-9d9d",
      resolves: true,
    });
    writeFileSync(here.pointer, "nothing");
    expect(readPointer(here)).toMatchObject({ layout: "inline", resolves: false });
  });

  test.each([
    "/etc/passwd",
    "../outside.yaml",
    "sessions-open/../outside.yaml",
    "sessions-open",
    "sessions-open/x/y.yaml",
  ])("at %s is never followed", (target) => {
    const here = place();
    symlinkSync(target, here.pointer);
    expect(readPointer(here)).toEqual({
      layout: "pointer",
      target,
      resolves: false,
      note: "points outside the store of open episodes",
    });
  });

  test("does not go on through a link inside the store", () => {
    const here = place();
    writeFileSync(join(here.sessionsOpen, "..", "secret.yaml"), "session_id: s-1\n");
    symlinkSync("../secret.yaml", join(here.sessionsOpen, "trap.yaml"));
    aimPointer(here, "trap");
    expect(readPointer(here)).toMatchObject({ key: "trap", resolves: false });
    expect(readPointer(here)).not.toHaveProperty("sessionId");
  });

  test("that is a directory is neither", () => {
    const here = place();
    mkdirSync(here.pointer);
    expect(readPointer(here)).toMatchObject({ resolves: false, note: "neither a link nor a file" });
  });
});
