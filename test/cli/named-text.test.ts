import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namedText } from "../../src/cli/named-text.ts";
import { PROGRAM } from "../support/built.ts";
import { newPlace } from "../support/checkout.ts";
import { scratchDirectory } from "../support/scratch.ts";

describe("a text that a person names", () => {
  it("is that of a file, also through a link", async () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "note.md"), "što\n");
    symlinkSync("note.md", join(directory, "link"));
    expect(await namedText(join(directory, "note.md"))).toBe("što\n");
    expect(await namedText(join(directory, "link"))).toBe("što\n");
  });

  it("is what comes through a pipe, however late; a pipe that nobody writes into is not waited for without end", async () => {
    const pipe = join(scratchDirectory(), "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(namedText(pipe, 20)).rejects.toMatchObject({ exit: 2, message: /stays open and silent/u });
    const writer = spawn("/bin/sh", ["-c", `sleep 0.1; echo late > '${pipe}'`], { stdio: "ignore" });
    const ended = new Promise((resolve) => writer.once("close", resolve));
    expect(await namedText(pipe)).toBe("late\n");
    await ended;
  });

  it("is refused where there is none, where it is no file, too large or no text", async () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "folder"));
    writeFileSync(join(directory, "large"), "x".repeat(1024 * 1024 + 1));
    writeFileSync(join(directory, "bytes"), Buffer.from([0xff]));
    symlinkSync("nowhere", join(directory, "dangling"));
    for (const [name, exit, message] of [
      ["none", 12, "there is no such file"],
      ["dangling", 12, "there is no such file"],
      ["folder", 2, "is a directory"],
      ["large", 2, "is over 1048576 bytes"],
      ["bytes", 2, "is not UTF-8"],
    ] as const) {
      const path = join(directory, name);
      await expect(namedText(path), name).rejects.toMatchObject({
        exit,
        subject: path,
        message: expect.stringContaining(message),
      });
    }
    await expect(namedText("/dev/null")).rejects.toMatchObject({ exit: 2, message: /is a device/u });
  });

  it("is a finish's note by a shell's process substitution", async () => {
    const { root, surroundings } = await newPlace();
    const environment = {
      ...surroundings.environment,
      MAJORDOMUS_SERVER: "off",
      PROGRAM,
      NODE: process.execPath,
    };
    const line =
      '"$NODE" "$PROGRAM" start t --scope . && "$NODE" "$PROGRAM" finish --outcome failed --note <(printf "# Reason\\nno\\n")';
    const told = execFileSync("bash", ["-c", line], { cwd: root, env: environment, encoding: "utf8" });
    expect(told).toMatch(/finish: t-\S+ failed\n$/u);
  });
});
