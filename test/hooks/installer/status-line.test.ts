import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOurStatusLine, statusLineCommand } from "../../../src/core/installation/status-line.ts";
import { shellWord } from "../../../src/core/text/shell-word.ts";
import { installHooks, uninstallHooks } from "../../../src/hooks/installer/install.ts";
import { mergeStatusLine, removeStatusLine } from "../../../src/hooks/installer/merge-status-line.ts";
import { makeSandbox, write } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

const LAUNCHER = { kind: "program", interpreter: "/n/node", script: "/p q/majordomus" } as const;
const OURS = "/n/node '/p q/majordomus' statusline";

const settingsOf = (sandbox: Sandbox): string => join(sandbox.root, ".claude/settings.local.json");
const lineIn = (path: string): unknown =>
  (JSON.parse(readFileSync(path, "utf8")) as { statusLine?: unknown }).statusLine;

describe("a status line's command", () => {
  it.each(["plain", "it's", 'a "b" $(c) `d`', "~/x.sh --flag 'q r'", "two\nlines"])(
    "carries %j through a shell",
    (delegate) => {
      const command = statusLineCommand(LAUNCHER, delegate);
      expect(readOurStatusLine({ type: "command", command })).toEqual({ delegate });
      expect(execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(delegate)}`], { encoding: "utf8" })).toBe(
        delegate,
      );
    },
  );

  it.each(["printf x", "majordomus", "majordomus status", "echo majordomus statusline-command", ""])(
    "%j is not ours",
    (command) => {
      expect(readOurStatusLine({ type: "command", command })).toBeUndefined();
    },
  );
});

describe("merging", () => {
  it.each([
    "{}",
    '{"model":"x"}',
    '{\n  "statusLine": {\n    "type": "command",\n    "command": "~/mine.sh",\n    "padding": 0\n  }\n}\n',
    '{"statusLine":{"command":"a \'b\' \\u00e9","type":"command"},"z":1}',
  ])("is undone by removing: %s", (text) => {
    const merged = mergeStatusLine(text, LAUNCHER).text;
    expect(mergeStatusLine(merged, LAUNCHER).text).toBe(merged);
    expect(JSON.parse(removeStatusLine(merged, LAUNCHER.script))).toEqual(JSON.parse(text));
    const { command } = (JSON.parse(merged) as { statusLine: { command: string } }).statusLine;
    expect(command.startsWith(OURS)).toBe(true);
  });

  it.each([
    '{"statusLine":null}',
    '{"statusLine":"x"}',
    '{"statusLine":{"type":"http","url":"x"}}',
    '{"statusLine":{"type":"command","command":""}}',
  ])("leaves %s alone", (text) => {
    expect(mergeStatusLine(text, LAUNCHER)).toEqual({ text, note: expect.stringContaining("another form") });
    expect(removeStatusLine(text, LAUNCHER.script)).toBe(text);
  });

  it("renews one that an older place of the program wrote, and keeps what it shows", () => {
    const old = mergeStatusLine('{"statusLine":{"type":"command","command":"mine"}}', {
      ...LAUNCHER,
      script: "/old/bin/majordomus",
    }).text;
    const renewed = mergeStatusLine(old, LAUNCHER).text;
    expect(renewed).toContain("/p q/majordomus");
    expect(renewed).not.toContain("/old/");
    expect(removeStatusLine(renewed, LAUNCHER.script)).toContain('"mine"');
  });
});

describe("installing", () => {
  it("keeps a status line as the one that ours shows, and gives it back to the byte", () => {
    const sandbox = makeSandbox();
    const before = '{ "statusLine" : {"type":"command", "command":"~/mine.sh" , "padding":0} }\n';
    write(settingsOf(sandbox), before);
    installHooks(sandbox.target("local"));
    expect(lineIn(settingsOf(sandbox))).toEqual({
      type: "command",
      command: expect.stringMatching(/ statusline --delegate '?~\/mine\.sh'?$/),
      padding: 0,
    });
    uninstallHooks(sandbox.target("local"));
    expect(readFileSync(settingsOf(sandbox), "utf8")).toBe(before);
  });

  it("gives it back also when the file was edited meanwhile", () => {
    const sandbox = makeSandbox();
    write(settingsOf(sandbox), '{"statusLine":{"type":"command","command":"~/mine.sh"}}\n');
    installHooks(sandbox.target("local"));
    const edited = readFileSync(settingsOf(sandbox), "utf8").replace("{", '{"model":"x",');
    write(settingsOf(sandbox), edited);
    installHooks(sandbox.target("local"));
    uninstallHooks(sandbox.target("local"));
    expect(JSON.parse(readFileSync(settingsOf(sandbox), "utf8"))).toEqual({
      model: "x",
      statusLine: { type: "command", command: "~/mine.sh" },
    });
  });

  it("says so where it is of another form, and puts none into a project's settings", () => {
    const sandbox = makeSandbox();
    write(settingsOf(sandbox), '{"statusLine":"x"}\n');
    const { changes } = installHooks(sandbox.target("local"));
    expect(changes.find(({ path }) => path === settingsOf(sandbox))?.note).toContain("another form");
    installHooks(sandbox.target("project"));
    expect(lineIn(join(sandbox.root, ".claude/settings.json"))).toBeUndefined();
    installHooks(sandbox.target("user"));
    const personal = join(sandbox.claudeConfigDirectory, "settings.json");
    expect(lineIn(personal)).toMatchObject({ type: "command" });
    uninstallHooks(sandbox.target("user"));
    expect(existsSync(personal)).toBe(false);
  });
});
