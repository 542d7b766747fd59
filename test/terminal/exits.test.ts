import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROCEDURE, SELECTED } from "../support/console-capsule-answers.ts";
import { bundleConsole } from "../support/console-bundle.ts";
import { attach, eventually, makeAnswers, openConsole } from "../support/console-session.ts";
import type { ConsoleSession } from "../support/console-session.ts";
import { openTerminal } from "../support/terminal.ts";

let program = "";
beforeAll(async () => {
  program = await bundleConsole();
});

/** A console below a shell that says what it found before and after. */
async function openBelowShell(more: Record<string, unknown> = {}, flags = ""): Promise<ConsoleSession> {
  const directory = makeAnswers(more);
  const script = `echo "typed before"; "${process.execPath}" "${program}" "${directory}" ${flags}; echo "status $?"; stty -a; echo "nothing else"`;
  const terminal = openTerminal("/bin/sh", ["-c", script], { columns: 100, rows: 50 });
  const session = attach(terminal, directory);
  await session.shows("s-…72ea");
  expect(session.buffer()).toBe("alternate");
  return session;
}

/** What the shell finds after the console. */
async function stateAfter(session: ConsoleSession): Promise<Record<string, unknown>> {
  await session.shows("nothing else");
  await session.drawn();
  const text = session.text();
  const raw = session.raw();
  return {
    status: /status (\d+)/.exec(text)?.[1],
    buffer: session.buffer(),
    before: text.includes("typed before"),
    // `stty` writes a minus before what is off.
    cooked: / icanon/.test(text) && / echo /.test(text),
    modes: session.modes(),
    cursor: raw.lastIndexOf("\u001B[?25h") > raw.lastIndexOf("\u001B[?25l"),
    erasedScrollback: raw.includes("\u001B[3J"),
  };
}

const RESTORED = {
  buffer: "normal",
  before: true,
  cooked: true,
  modes: { wraparound: true, bracketedPaste: false },
  cursor: true,
  erasedScrollback: false,
};

describe("every way out gives the terminal back", () => {
  it("by q", async () => {
    const session = await openBelowShell();
    session.write("q");
    expect(await stateAfter(session)).toEqual({ ...RESTORED, status: String(0) });
  });

  it("by Ctrl-C", async () => {
    const session = await openBelowShell();
    session.write("\u0003");
    expect(await stateAfter(session)).toEqual({ ...RESTORED, status: String(0) });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const)("by %s", async (signal, status) => {
    const session = await openBelowShell();
    process.kill(session.pid(), signal);
    expect(await stateAfter(session)).toEqual({ ...RESTORED, status: String(status) });
  });

  it.each([
    ["SIGTERM", 300, [[SELECTED.name]]],
    ["SIGHUP", 0, []],
  ] as const)(
    "by %s, and what was spent by then is given back unless it is shown",
    async (signal, delay, back) => {
      const spent = { ...PROCEDURE, spent: true };
      const session = await openBelowShell({
        "capsule.resume": { $delay: delay, $spendings: [{ name: SELECTED.name }], value: spent },
      });
      session.write("4");
      await session.shows("Procedure  4 lines");
      session.write("S");
      await session.shows("Resume this capsule headlessly?");
      session.write("\r");
      await eventually(() => expect(session.asked("capsule.resume")).toHaveLength(1));
      if (delay === 0) await session.shows("The procedure that was printed");
      // As long as a person needs at the least to see anything.
      if (delay === 0) await new Promise((resolve) => void setTimeout(resolve, 100));
      process.kill(session.pid(), signal);
      expect(await stateAfter(session)).toMatchObject({ status: signal === "SIGTERM" ? "143" : "129" });
      expect(session.asked("given back")).toEqual(back);
    },
  );

  it("by an error that nobody caught: first the screen, then the reason", async () => {
    const session = await openBelowShell({ "session.context": { $throw: "the roof is on fire" } });
    session.write("w");
    await session.shows("the roof is on fire");
    expect(await stateAfter(session)).toEqual({ ...RESTORED, status: String(13) });
    const raw = session.raw();
    expect(raw.indexOf("the roof is on fire")).toBeGreaterThan(raw.indexOf("\u001B[?1049l"));
  });

  it("by a pane that breaks while it is drawn", async () => {
    const session = await openBelowShell({}, "--trap");
    writeFileSync(join(session.directory, "trap"), "");
    session.write("2jj");
    await session.shows("a pane fell into the trap");
    expect(await stateAfter(session)).toEqual({ ...RESTORED, status: "13" });
  });
});

describe("the terminal lent out for a while", () => {
  it("goes to the shell at Ctrl-Z and comes back at fg", async () => {
    const directory = makeAnswers();
    const terminal = openTerminal("/bin/bash", ["--norc", "--noprofile", "-i"], {
      columns: 100,
      rows: 30,
      environment: { PS1: "ready> " },
    });
    const session = attach(terminal, directory);
    await session.shows("ready>");
    session.write(`"${process.execPath}" "${program}" "${directory}"\r`);
    await session.shows("s-…72ea");
    session.write("\u001A");
    await session.shows("Stopped");
    expect(session.buffer()).toBe("normal");
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(session.pid())], { encoding: "utf8" });
    expect(state).toMatch(/^T/);
    // The shell has the terminal: whoever is stopped hears nothing of these.
    session.resize(140, 50);
    session.resize(72, 24);
    session.write("fg\r");
    await eventually(() => expect(session.buffer()).toBe("alternate"));
    const fresh = await openConsole(program, { columns: 72, rows: 24 });
    await fresh.shows("Stranded   2");
    await eventually(() => expect(session.rows()).toEqual(fresh.rows()));
    fresh.write("q");
    session.write("2");
    await session.shows("Its ledger lines");
    session.write("q");
    await eventually(() => expect(session.buffer()).toBe("normal"));
    session.kill();
  });

  it("goes to the editor and comes back with its keys", async () => {
    const directory = makeAnswers();
    const editor = join(directory, "editor");
    writeFileSync(editor, `#!/bin/sh\nprintf 'editing %s\\n' "$1"\nread line\necho "got $line"\n`);
    chmodSync(editor, 0o755);
    const terminal = openTerminal(process.execPath, [program, directory], {
      columns: 100,
      rows: 30,
      environment: { EDITOR: editor, VISUAL: "" },
    });
    const session = attach(terminal, directory);
    await session.shows("s-…72ea");
    session.write("e");
    await session.shows("editing /home/mira/app/.ai/local/context/fc51.md");
    expect(session.buffer()).toBe("normal");
    // A Ctrl-C in the editor reaches both, and is meant for the editor.
    process.kill(session.pid(), "SIGINT");
    session.write("jq\r");
    await eventually(() => expect(session.buffer()).toBe("alternate"));
    await session.shows("back from");
    session.write("2");
    await session.shows("Its ledger lines");
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });
});
