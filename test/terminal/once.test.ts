import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleConsole } from "../support/console-bundle.ts";
import { episode, episodesAnswer } from "../support/console-answers.ts";
import { eventually, makeAnswers } from "../support/console-session.ts";
import { openTerminal } from "../support/terminal.ts";

const run = promisify(execFile);

let program = "";
beforeAll(async () => {
  program = await bundleConsole();
});

const ESCAPE = "\u001B";

describe("the console printed once", () => {
  it("is one frame of the size that was asked for", async () => {
    const flags = ["--once", "--width", "90", "--height", "30"];
    const { stdout, stderr } = await run(process.execPath, [program, makeAnswers(), ...flags]);
    const rows = stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(30 - 1);
    expect(rows[1]).toHaveLength(90);
    expect(rows[1]).toMatch(/^┌ Episodes ─+ 5 open · 1 elsewhere ┐┌ Stranded ─+ 2 ┐$/);
    expect(stdout).not.toContain(ESCAPE);
    expect(stderr).toBe("");
  });

  it("waits for every answer, and shows one that failed", async () => {
    const directory = makeAnswers({
      "lifecycle.episodes": { $delay: 300, value: episodesAnswer([episode("aaaa", { branch: "slow" })]) },
      "history.query": { $error: { code: "x", exit: 13, message: "the ledger is a directory" } },
    });
    const { stdout } = await run(process.execPath, [
      program,
      directory,
      "--once",
      "--width",
      "100",
      "--height",
      "30",
    ]);
    expect(stdout).toContain("slow");
    expect(stdout).toContain("the ledger is a directory");
  });

  it("is plain text, and says so, where there is no terminal", async () => {
    const { stdout, stderr } = await run(process.execPath, [program, makeAnswers()]);
    expect(stdout).toContain("Stranded: 2\n   ✕  worktree gone  s-20260904120000-72ea  feat/x");
    expect(stdout).toContain("started 48 = closed 41 + recovered 0 + open 7 + unaccounted 0");
    expect(stdout).not.toMatch(/[│┌]/);
    expect(stdout).not.toContain(ESCAPE);
    expect(stderr).toBe("majordomus tui: no terminal here; this is what --once --plain prints\n");
  });

  it("is plain text on a terminal that can do nothing else", async () => {
    const terminal = openTerminal(process.execPath, [program, makeAnswers()], {
      columns: 100,
      rows: 40,
      environment: { TERM: "dumb" },
    });
    await eventually(() => expect(terminal.exited()).toBe(0));
    await terminal.drawn();
    expect(terminal.raw()).toContain("no terminal here");
    expect(terminal.raw()).toContain("Stranded: 2");
    expect(terminal.raw()).not.toContain(ESCAPE);
  });

  it("has no colours with NO_COLOR, and draws only ASCII when told to", async () => {
    const terminal = openTerminal(process.execPath, [program, makeAnswers(), "--ascii"], {
      columns: 100,
      rows: 30,
      environment: { NO_COLOR: "1" },
    });
    await eventually(() => expect(terminal.text()).toContain("+ Stranded -"));
    terminal.write("q");
    await eventually(() => expect(terminal.exited()).toBe(0));
    // oxlint-disable-next-line no-control-regex -- a colour is made of it.
    expect(terminal.raw().replaceAll("\u001B[0m", "")).not.toMatch(/\u001B\[[\d;]*m/);
    expect(terminal.raw()).toMatch(/^[\x00-\x7e]*$/u);
  });
});
