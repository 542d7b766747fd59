import { shellWord } from "../text/shell-word.ts";
import { statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SHIM_PATH, type Launcher } from "./claude-hooks.ts";
import { findOnPath, isExecutable, isOlder, programVersion } from "./program-version.ts";

/** Why a hook would not reach the program. */
export interface LauncherFault {
  message: string;
  reproduce: string;
}

/**
 * Looks whether what a hook starts is there.
 *
 * @param root the worktree whose shim is meant.
 * @param searchPath `PATH`, where a shim looks for the program.
 */
export function findLauncherFault(
  launcher: Launcher,
  root: string,
  searchPath: string,
): LauncherFault | undefined {
  if (launcher.kind === "program") {
    const { interpreter, script } = launcher;
    if (!isExecutable(interpreter)) {
      return fail(
        `the interpreter ${interpreter} is missing or not executable`,
        `ls -l ${shellWord(interpreter)}`,
      );
    }
    return isFile(script)
      ? undefined
      : fail(`the program ${script} is missing`, `ls -l ${shellWord(script)}`);
  }
  const shim = join(root, SHIM_PATH);
  if (!isExecutable(shim)) {
    return fail(`the shim ${shim} is missing or not executable`, `ls -l ${shellWord(shim)}`);
  }
  if (programOfShim(root, searchPath) !== undefined) return undefined;
  return fail(
    "the shim finds majordomus neither on PATH nor in node_modules/.bin, so its hooks do nothing",
    "command -v majordomus",
  );
}

/** The program that a project's shim hands its events to: on PATH, else in the project's own packages. */
function programOfShim(root: string, searchPath: string): string | undefined {
  return findOnPath("majordomus", [searchPath, join(root, "node_modules/.bin")].join(delimiter));
}

/**
 * Looks whether what a hook starts is older than this version, and would not know what is asked of it.
 *
 * @param version this program's own.
 */
export function findVersionFault(
  launcher: Launcher,
  root: string,
  searchPath: string,
  version: string,
): LauncherFault | undefined {
  const program = launcher.kind === "program" ? launcher.script : programOfShim(root, searchPath);
  const found = program === undefined ? undefined : programVersion(program);
  if (program === undefined || found === undefined || !isOlder(found, version)) return undefined;
  return fail(
    `starts ${program}, which is version ${found}, older than this one, ${version}`,
    `${shellWord(program)} --version`,
  );
}

function fail(message: string, reproduce: string): LauncherFault {
  return { message, reproduce };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
