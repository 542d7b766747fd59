import { spawnSync } from "node:child_process";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import { copyable } from "../model/copyable.ts";
import { counted } from "../model/names.ts";
import { currentRow } from "../row-source.ts";
import { clipboardSequence } from "../screen/terminal.ts";
import { loadFile } from "./read.ts";

/** Copies through the terminal, and shows the text for terminals that refuse. */
export function copy(desk: Desk): void {
  const { mode } = desk.store.getState();
  if (mode.kind === "reader" && mode.reading.path === undefined) return copyWhole(desk, mode.reading.text);
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  const text = mode.kind === "reader" ? mode.reading.path : row === undefined ? undefined : copyable(row);
  if (text === undefined) return;
  desk.terminal.control(clipboardSequence(text));
  say(desk, "plain", `copied: ${text}`);
}

/** Terminals drop what is longer, once it is encoded for them. */
const LONGEST_COPY = 74_994;

/** Copies a text that is no file. It stands on the screen, for terminals that refuse. */
function copyWhole(desk: Desk, text: string): void {
  const sequence = clipboardSequence(text);
  if (sequence.length > LONGEST_COPY) return say(desk, "warn", "too long to be copied through the terminal");
  desk.terminal.control(sequence);
  say(desk, "plain", `copied the whole text, ${counted(text.trimEnd().split("\n").length, "line")}`);
}

/** Opens the record of the row, or the text that is being read, in the person's editor. */
export async function edit(desk: Desk): Promise<void> {
  const state = desk.store.getState();
  if (state.mode.kind === "reader") {
    const { path } = state.mode.reading;
    if (path !== undefined) runEditor(desk, path);
    return;
  }
  const row = currentRow(state, desk.rowsOf);
  if (row === undefined) return;
  const reading = await loadFile(desk, row);
  if (reading?.path !== undefined) runEditor(desk, reading.path);
}

/** Lends the terminal to the person's editor; false, and said, when it did not end well. */
export function runEditor(desk: Desk, path: string): boolean {
  const { environment, terminal } = desk;
  const editor = environment["VISUAL"] || environment["EDITOR"] || "vi";
  // Synchronous: while it runs, nobody here may read the keys that are meant for it.
  const ended = terminal.lend(() =>
    spawnSync("/bin/sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit" }),
  );
  if (ended.error !== undefined) say(desk, "bad", `${editor}: ${ended.error.message}`);
  else if (ended.status === 0) say(desk, "plain", `back from ${editor}`);
  else say(desk, "warn", `${editor} ended with ${ended.status ?? ended.signal ?? "no status"}`);
  return ended.status === 0;
}
