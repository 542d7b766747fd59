import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newRepository } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";

const LINES = [
  "/vault/memory/runtime/",
  "/vault/memory/.daemon-errors.log",
  "/vault/memory/capsules/*-auto-*.md",
];

describe("init", () => {
  it("says in one line what git would take along of a memory root that was chosen, and of no other", async () => {
    const root = newRepository();
    const init = (...words: string[]): ReturnType<typeof runLine> =>
      runLine(["init", ...words], { directory: root });
    const notes = (stdout: string): string[] =>
      stdout.split("\n").filter((line) => line.startsWith("note: "));
    const first = await init("--memory-root", "vault/memory");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(notes(first.stdout)).toEqual([expect.stringContaining(LINES.join(", "))]);
    const again = await init("--extend", "--memory-root", "vault/memory", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ written: [], not_ignored: LINES });
    expect(notes((await init("--extend")).stdout)).toEqual([]);
    appendFileSync(join(root, ".gitignore"), `${LINES.join("\n")}\n`);
    expect(notes((await init("--extend", "--memory-root", "vault/memory")).stdout)).toEqual([]);
    const plain = newRepository();
    const usual = await runLine(["init", "--memory-root", ".ai/local/memory"], { directory: plain });
    expect(notes(usual.stdout)).toEqual([]);
  });
});
