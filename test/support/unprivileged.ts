import { execFile, spawnSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { PROGRAM } from "./built.ts";

/** Somebody whom modes hold, on every system; tests may run as root, whom they do not. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const someone = isRoot ? NOBODY : {};

/** Whether such a process can read the program: it may lie in the home of root. */
export const canRunUnprivileged =
  spawnSync(process.execPath, [PROGRAM, "--version"], { ...someone, cwd: "/" }).status === 0;

export interface UnprivilegedRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** Gives a directory to whoever the unprivileged program runs as, and a way to it. */
export function handOver(directory: string): void {
  if (!isRoot) return;
  const parent = dirname(directory);
  const { mode } = statSync(parent);
  if ((mode & 0o001) === 0) chmodSync(parent, mode | 0o011);
  spawnSync("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, directory]);
}

/** Takes all rights to a directory away for as long as `act` runs. */
export async function closed<Value>(directory: string, act: () => Promise<Value>): Promise<Value> {
  chmodSync(directory, 0);
  try {
    return await act();
  } finally {
    chmodSync(directory, 0o755);
  }
}

/** Runs the built program as somebody whom modes hold. */
export function runUnprivileged(
  words: readonly string[],
  directory: string,
  stdin = "",
): Promise<UnprivilegedRun> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...words],
      {
        ...someone,
        cwd: directory,
        env: { PATH: process.env["PATH"], HOME: directory, MAJORDOMUS_SERVER: "off" },
      },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}
