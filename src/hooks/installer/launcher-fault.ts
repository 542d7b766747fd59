import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SHIM_PATH, type Launcher } from "./claude-hooks.ts";

/** Why a hook would not reach the program. */
export interface LauncherFault {
  level: "FAIL" | "WARN";
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
        `ls -l ${quoted(interpreter)}`,
      );
    }
    return isFile(script) ? undefined : fail(`the program ${script} is missing`, `ls -l ${quoted(script)}`);
  }
  const shim = join(root, SHIM_PATH);
  if (!isExecutable(shim)) {
    return fail(`the shim ${shim} is missing or not executable`, `ls -l ${quoted(shim)}`);
  }
  const directories = searchPath.split(delimiter).filter((directory) => directory !== "");
  const found = [...directories, join(root, "node_modules/.bin")].some((directory) =>
    isExecutable(join(directory, "majordomus")),
  );
  if (found) return undefined;
  const message =
    "the shim finds majordomus neither on PATH nor in node_modules/.bin, so its hooks do nothing";
  return { level: "WARN", message, reproduce: "command -v majordomus" };
}

function fail(message: string, reproduce: string): LauncherFault {
  return { level: "FAIL", message, reproduce };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** A path as one word of a shell command. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
