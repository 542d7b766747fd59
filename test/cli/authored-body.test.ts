import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { authoredBody } from "../../src/cli/authored-body.ts";
import type { CommandContext } from "../../src/cli/declaration.ts";
import { scratchDirectory } from "../support/scratch.ts";

function contextOf(terminal: boolean, environment: Record<string, string>, text?: string): CommandContext {
  const stdin = Object.assign(new PassThrough(), { isTTY: terminal });
  if (text !== undefined) stdin.end(text);
  return { stdin: () => stdin, surroundings: { environment } } as unknown as CommandContext;
}

function editor(script: string): { command: string; seen: string } {
  const directory = scratchDirectory();
  const seen = join(directory, "seen");
  const command = join(directory, "an editor");
  writeFileSync(command, `#!/bin/sh\nfor last; do :; done\necho "$last" > '${seen}'\n${script}\n`);
  chmodSync(command, 0o755);
  return { command: `'${command}' --wait`, seen };
}

const REQUEST = { name: "handover", template: "# Objective\n\n<objective>\n" };

describe("the body of a record", () => {
  it("comes from a pipe", async () => {
    expect(await authoredBody(contextOf(false, {}, "text"), REQUEST)).toBe("text");
  });

  it("is typed in the editor by a person at a terminal, and the file is gone afterwards", async () => {
    const { command, seen } = editor('echo "more" >> "$last"');
    const context = contextOf(true, { EDITOR: "false", VISUAL: command });
    expect(await authoredBody(context, REQUEST)).toBe(`${REQUEST.template}more\n`);
    const path = readFileSync(seen, "utf8").trim();
    expect(path.endsWith("handover.md")).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  it("is none when the editor fails, or when there is no editor", async () => {
    const { command, seen } = editor("exit 3");
    await expect(authoredBody(contextOf(true, { EDITOR: command }), REQUEST)).rejects.toMatchObject({
      exit: 10,
    });
    expect(existsSync(readFileSync(seen, "utf8").trim())).toBe(false);
    await expect(authoredBody(contextOf(true, { EDITOR: " " }), REQUEST)).rejects.toMatchObject({ exit: 2 });
  });
});
