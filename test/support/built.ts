import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";

const ROOT = dirname(dirname(import.meta.dirname));

/** The program as a shell starts it; built before the tests when a source is newer. */
export const PROGRAM: string = join(ROOT, "bin", "majordomus");

export interface BuiltRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface BuiltOptions {
  directory: string;
  environment?: Record<string, string>;
  stdin?: string;
}

function environmentOf({ directory, environment = {} }: BuiltOptions): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"],
    HOME: join(directory, "..", "nobody"),
    USER: "tester",
    MAJORDOMUS_SERVER: "off",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...environment,
  };
}

/** Runs the built program to its end. */
export function runBuilt(arguments_: readonly string[], options: BuiltOptions): BuiltRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...arguments_], {
    cwd: options.directory,
    env: environmentOf(options),
    encoding: "utf8",
    input: options.stdin ?? "",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

/** Starts the built program, with pipes to its standard streams. */
export function startBuilt(arguments_: readonly string[], options: BuiltOptions): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...arguments_], {
    cwd: options.directory,
    env: environmentOf(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
}
