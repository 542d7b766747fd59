import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

const ROOT = dirname(dirname(import.meta.dirname));
const BUNDLE = join(ROOT, "dist", "hook.cjs");
const COMPILED = join(ROOT, "dist", "compiled");

let home: string | undefined;

function copyProgram(into: string): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const before = statSync(BUNDLE).mtimeMs;
      for (const part of ["bin", "dist"]) {
        rmSync(join(into, part), { recursive: true, force: true });
        const filter = (path: string): boolean => path !== COMPILED;
        cpSync(join(ROOT, part), join(into, part), { recursive: true, filter });
      }
      // What is compiled there is of the same bundles.
      symlinkSync(COMPILED, join(into, "dist", "compiled"));
      if (statSync(BUNDLE).mtimeMs === before) return;
    } catch (error) {
      // A build that ends just now swaps the bundles under us.
      if (attempt === 20) throw error;
    }
  }
}

/**
 * The launcher of the built program, in a copy of this test file's own: a build that happens meanwhile must
 * not change the program in the middle of a story.
 */
export function launcher(): string {
  if (home === undefined) {
    home = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-program-")));
    mkdirSync(join(home, "dist"));
    copyProgram(home);
    // The pool's library is the one part that is not bundled.
    symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"));
  }
  return join(home, "bin", "majordomus");
}

afterAll(() => {
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
  home = undefined;
});

export interface Run {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** From start to end, for bounds on hanging. */
  milliseconds: number;
}

export interface RunOptions {
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** What stands on standard input; absent: nothing, at its end. */
  input?: string | Buffer;
  /** Leave the pipe open behind the input, as a careless provider does. */
  keepOpen?: boolean;
  /** In place of the pipe. */
  stdin?: "ignore" | number;
}

/** A process of the program and its end. */
export interface Started {
  child: ChildProcess;
  end: Promise<Run>;
}

/** Starts the program; its end comes with everything that it printed. */
export function startProgram(arguments_: readonly string[], options: RunOptions): Started {
  const begun = performance.now();
  const child = spawn(process.execPath, [launcher(), ...arguments_], {
    cwd: options.directory,
    env: options.environment,
    stdio: [options.stdin ?? "pipe", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  // A program that ends before it has read everything is no error of the test.
  child.stdin?.on("error", () => undefined);
  if (options.input !== undefined) child.stdin?.write(options.input);
  if (options.keepOpen !== true) child.stdin?.end();
  const end = new Promise<Run>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      child.stdin?.destroy();
      resolve({
        status,
        signal,
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
        milliseconds: performance.now() - begun,
      });
    });
  });
  return { child, end };
}

/** Runs the program to its end. */
export function runProgram(arguments_: readonly string[], options: RunOptions): Promise<Run> {
  return startProgram(arguments_, options).end;
}
