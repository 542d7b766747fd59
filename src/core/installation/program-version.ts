import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { readText } from "../fs/read.ts";

const LEVELS = 3;
const PACKAGE_BYTES = 256 * 1024;
const ASK_MILLISECONDS = 3000;
const VERSION = /\b(\d{1,6}\.\d{1,6}\.\d{1,6})\b/;

/** Whether a path is a program that may be started. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The first program of a name on a search path, as a shell finds it. */
export function findOnPath(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

/** The version that a program's own package states, read from its files; undefined where it has none. */
function packagedVersion(program: string): string | undefined {
  let directory: string;
  try {
    directory = dirname(realpathSync(program));
  } catch {
    return undefined;
  }
  for (let level = 0; level < LEVELS; level += 1, directory = dirname(directory)) {
    const text = readText(join(directory, "package.json"), { maximumBytes: PACKAGE_BYTES });
    if (!text.ok) continue;
    try {
      const { name, version } = JSON.parse(text.value) as { name?: unknown; version?: unknown };
      if (name === "majordomus" && typeof version === "string") return version;
    } catch {
      // Not the package file that was looked for.
    }
  }
  return undefined;
}

/** The version of a program of ours: by its package, else by asking it. Undefined when neither tells. */
export function programVersion(program: string): string | undefined {
  const packaged = packagedVersion(program);
  if (packaged !== undefined) return packaged;
  if (!isExecutable(program)) return undefined;
  const { stdout, status } = spawnSync(program, ["--version"], {
    encoding: "utf8",
    timeout: ASK_MILLISECONDS,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024,
  });
  return status === 0 ? VERSION.exec(stdout)?.[1] : undefined;
}

/** Whether one version precedes another; what is no version precedes nothing. */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string): number[] | undefined => VERSION.exec(text)?.[1]?.split(".").map(Number);
  const [left, right] = [numbers(version), numbers(than)];
  if (left === undefined || right === undefined) return false;
  const place = left.findIndex((number, index) => number !== right[index]);
  return place !== -1 && (left[place] ?? 0) < (right[place] ?? 0);
}
