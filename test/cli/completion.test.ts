import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/table.ts";
import { completionScript } from "../../src/cli/completion/script.ts";
import { runLine } from "../support/run-program.ts";

/** What bash would offer for a line, the last word being the one that is typed. */
function offered(...line: string[]): string[] {
  const words = line.map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash", COMMANDS)}
COMP_WORDS=(majordomus ${words}); COMP_CWORD=${line.length}
_majordomus
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  return run.stdout.split("\n").filter((word) => word !== "");
}

describe("completion for bash", () => {
  it("is a script that bash accepts", () => {
    const run = spawnSync("bash", ["-n"], { input: completionScript("bash", COMMANDS), encoding: "utf8" });
    expect(run).toMatchObject({ status: 0, stderr: "" });
  });

  it("offers commands, options, choices and what follows an option", () => {
    expect(offered("ses")).toEqual(["session"]);
    expect(offered("session", "s").toSorted()).toEqual(["show", "start", "status"]);
    expect(offered("session", "start", "--if")).toEqual(["--if-open"]);
    expect(offered("session", "start", "--if-open", "")).toEqual(["refuse", "keep"]);
    expect(offered("session", "start", "--owner", "")).toEqual([]);
    expect(offered("completion", "z")).toEqual(["zsh"]);
    expect(offered("--repo", "/et")).toEqual(["/etc"]);
    expect(offered("--repo", "/tmp", "recover", "ep")).toEqual(["episodes"]);
    expect(offered("tui", "/et")).toEqual(["/etc"]);
  });

  it("knows every option of every command", () => {
    for (const { path, options } of COMMANDS) {
      const words = offered(...path, "--");
      for (const { name } of options) expect(words, path.join(" ")).toContain(`--${name}`);
    }
  });
});

describe.each(["zsh", "fish"] as const)("completion for %s", (shell) => {
  const script = completionScript(shell, COMMANDS);

  it("knows every command and every option", () => {
    for (const { path, options } of COMMANDS) {
      expect(script).toContain(`/${path.join("/")}`);
      for (const { name } of options) expect(script).toContain(shell === "fish" ? `-l ${name}` : `--${name}`);
    }
  });

  it("is accepted by the shell, where there is one", () => {
    const run = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    const absent = run.error !== undefined;
    expect(absent || run.status === 0).toBe(true);
  });
});

describe("the completion command", () => {
  it.each(["bash", "zsh", "fish"])("prints the script for %s", async (shell) => {
    const { status, stdout, stderr } = await runLine(["completion", shell]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("majordomus-cli");
  });
});
