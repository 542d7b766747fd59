import { statSync } from "node:fs";
import { statEntry } from "./read.ts";

/** What shows a file, and what shows an entry of which it must not be tried. */
export type ShowCommand = "cat" | "ls -ld";

/**
 * The command that shows what stands in a place of ours, and never waits: a FIFO would block whoever reads it, a
 * device may do anything, and of a directory or a link it is the entry that matters.
 */
export function showCommand(path: string): ShowCommand {
  return commandFor(() => statEntry(path));
}

/** The same for a file of a person, who may have put a link in its place. */
export function showFollowed(path: string): ShowCommand {
  return commandFor(() => statSync(path, { throwIfNoEntry: false }));
}

function commandFor(ask: () => { isFile: () => boolean } | undefined): ShowCommand {
  try {
    return ask()?.isFile() === true ? "cat" : "ls -ld";
  } catch {
    return "ls -ld";
  }
}
