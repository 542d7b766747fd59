import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRecordOfSession, listClosedSessions } from "../../../src/core/records/session-store.ts";
import { edited, ORIGINAL_SESSIONS, temporaryDirectory, textsOf } from "./fixtures.ts";

const names = textsOf(ORIGINAL_SESSIONS, ".md").map(([name]) => name);

describe("listClosedSessions", () => {
  test("reads the original's store; its context document is no record", () => {
    const store = listClosedSessions(ORIGINAL_SESSIONS);
    expect(store.records.map(({ path, session }) => [path, session.outcome])).toEqual([
      [join(ORIGINAL_SESSIONS, names[0] ?? ""), "closed"],
      [join(ORIGINAL_SESSIONS, names[1] ?? ""), "interrupted"],
      [join(ORIGINAL_SESSIONS, names[2] ?? ""), "closed"],
    ]);
    expect(store.skipped).toEqual([]);
    expect(store.aside).toEqual([join(ORIGINAL_SESSIONS, "README.md")]);
  });

  test("accounts for every entry of the directory", () => {
    const directory = temporaryDirectory();
    cpSync(ORIGINAL_SESSIONS, directory, { recursive: true });
    mkdirSync(join(directory, "folder.md"));
    mkdirSync(join(directory, "folder"));
    for (const name of [".tmp.a1B2c3", ".tmp.x.md", "notes.txt", "empty.md"])
      writeFileSync(join(directory, name), "");
    const store = listClosedSessions(directory);
    expect(store.records).toHaveLength(3);
    expect(store.skipped).toEqual([
      { path: join(directory, "empty.md"), reason: "no front matter: line 1 is not ---" },
      { path: join(directory, "folder.md"), reason: "is a directory, not a regular file" },
    ]);
    expect(store.aside).toEqual(
      [".tmp.a1B2c3", ".tmp.x.md", "README.md", "folder", "notes.txt"].map((name) => join(directory, name)),
    );
  });

  test("an absent store is empty", () => {
    const store = listClosedSessions(join(temporaryDirectory(), "absent"));
    expect(store).toEqual({ records: [], skipped: [], aside: [] });
  });
});

describe("findRecordOfSession", () => {
  test("finds a record by the id in its name", () => {
    expect(findRecordOfSession(ORIGINAL_SESSIONS, "s-20260904153733-fc51")).toBe(
      join(ORIGINAL_SESSIONS, names[0] ?? ""),
    );
    expect(findRecordOfSession(ORIGINAL_SESSIONS, "s-20260904153733-0000")).toBeUndefined();
    expect(findRecordOfSession(join(ORIGINAL_SESSIONS, "absent"), "s-1")).toBeUndefined();
  });

  test("believes the text, not the name, and no link", () => {
    const directory = temporaryDirectory();
    const source = readFileSync(join(ORIGINAL_SESSIONS, names[0] ?? ""), "utf8");
    const id = "s-20260904153733-fc51";
    const nameFor = (random: string) => `20260904T171403Z--${id}--main--b9469a9--${random}.md`;
    writeFileSync(join(directory, nameFor("1")), edited(source, `session_id: ${id}`, "session_id: s-other"));
    writeFileSync(join(directory, nameFor("2")), "half a rec");
    writeFileSync(join(directory, `.tmp.--${id}--`), source);
    writeFileSync(join(directory, "target"), source);
    symlinkSync("target", join(directory, nameFor("3")));
    expect(findRecordOfSession(directory, id)).toBeUndefined();
    writeFileSync(join(directory, nameFor("4")), source);
    expect(findRecordOfSession(directory, id)).toBe(join(directory, nameFor("4")));
  });
});
