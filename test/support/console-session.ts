import { mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { sampleAnswers } from "./console-answers.ts";
import { openTerminal } from "./terminal.ts";
import type { TerminalOptions, TerminalSession } from "./terminal.ts";

/** A console on made-up data in a pseudo-terminal. */
export interface ConsoleSession extends TerminalSession {
  directory: string;
  /** Replaces the answers of some capabilities. */
  answer: (answers: Record<string, unknown>) => void;
  /** The inputs of every question to a capability so far. */
  asked: (capability: string) => unknown[];
  pid: () => number;
  /** Settles when the screen holds a text. */
  shows: (text: string) => Promise<void>;
}

/** How long a test waits for something that ought to be there at once: a limit for hangs. */
export const HANG_MILLISECONDS = 20_000;

/** Waits until a check passes. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: HANG_MILLISECONDS, interval: 15 });
}

/** Replaces a file whole: the console may be reading it. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** The command line of a console on made-up data, for a shell. */
export function makeAnswers(more: Record<string, unknown> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), "majordomus-answers-"));
  writeFileSync(join(directory, "answers.json"), JSON.stringify({ ...sampleAnswers(), ...more }));
  writeFileSync(join(directory, "calls.jsonl"), "");
  return directory;
}

function readCalls(directory: string): { id: string; input: unknown }[] {
  const lines = readFileSync(join(directory, "calls.jsonl"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line): { id: string; input: unknown } => JSON.parse(line));
}

/** Ties a terminal to the directory that its console answers from. */
export function attach(terminal: TerminalSession, directory: string): ConsoleSession {
  return {
    ...terminal,
    directory,
    answer: (answers) => {
      const path = join(directory, "answers.json");
      const old: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
      replaceFile(path, JSON.stringify({ ...old, ...answers }));
    },
    asked: (capability) =>
      readCalls(directory)
        .filter((call) => call.id === capability)
        .map((call) => call.input),
    pid: () => Number(readFileSync(join(directory, "pid"), "utf8")),
    shows: (text) => eventually(() => expect(terminal.text()).toContain(text)),
  };
}

/** Starts a console, and waits for its data. */
export async function openConsole(
  program: string,
  options: TerminalOptions & { answers?: Record<string, unknown>; flags?: readonly string[] },
): Promise<ConsoleSession> {
  const directory = makeAnswers(options.answers);
  const terminal = openTerminal(process.execPath, [program, directory, ...(options.flags ?? [])], options);
  const session = attach(terminal, directory);
  await eventually(() => expect(session.asked("lifecycle.episodes").length).toBeGreaterThan(0));
  return session;
}
