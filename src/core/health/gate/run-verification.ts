import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Cancellation } from "../../base/cancellation.ts";
import { reasonOf } from "../../base/error.ts";
import type { Verification } from "../answers.ts";

export interface VerificationOrder {
  /** A line for the shell. */
  command: string;
  /** Where it runs: the repository's root. */
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMilliseconds: number;
  signal: Cancellation;
}

/** As `timeout` says it. */
const TIMED_OUT = 124;
const NOT_STARTED = 127;
const SIGNALLED = 128;
const KEPT_BYTES = 16 * 1024;
const LOOK_MILLISECONDS = 100;

/** The last bytes of a stream that may be endless. */
class Tail {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    while (this.bytes - (this.chunks[0]?.length ?? 0) >= KEPT_BYTES) {
      this.bytes -= this.chunks.shift()?.length ?? 0;
    }
  }

  text(): string {
    return Buffer.concat(this.chunks).subarray(-KEPT_BYTES).toString("utf8");
  }
}

/** Ends a command with everything that it has started: it leads a process group of its own. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}

/**
 * Runs a verification command to its end, to its time limit or until it is cancelled. It reads nothing, and
 * nothing that it started outlives it. Asynchronous, so that whoever waits can give up.
 */
export function runVerification(order: VerificationOrder): Promise<Verification> {
  const { command, directory, environment, timeoutMilliseconds, signal } = order;
  const begun = performance.now();
  return new Promise((resolve) => {
    const tail = new Tail();
    let stopped: string | undefined;
    const child = spawn(command, {
      cwd: directory,
      env: { ...environment },
      shell: true,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = (reason: string): void => {
      stopped ??= reason;
      killGroup(child);
    };
    const look = setInterval(() => {
      if (signal.aborted) stop("was cancelled");
      else if (performance.now() - begun > timeoutMilliseconds) {
        stop(`took longer than ${Math.round(timeoutMilliseconds / 1000)} s`);
      }
    }, LOOK_MILLISECONDS);
    const settle = (exit: number): void => {
      clearInterval(look);
      killGroup(child);
      const output = tail.text();
      resolve({
        command,
        exit: stopped === undefined ? exit : TIMED_OUT,
        seconds: Math.round((performance.now() - begun) / 1000),
        ...(stopped === undefined ? {} : { stopped }),
        ...(output === "" ? {} : { output }),
      });
    };
    child.stdout.on("data", (chunk: Buffer) => tail.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => tail.add(chunk));
    child.on("error", (error) => {
      stopped ??= `could not be started: ${reasonOf(error)}`;
      settle(NOT_STARTED);
    });
    // What was left running may hold the pipes: they are closed with it, and only then is everything read.
    child.on("exit", () => killGroup(child));
    child.on("close", (code, name) =>
      settle(code ?? SIGNALLED + (constants.signals[name ?? "SIGKILL"] ?? 0)),
    );
  });
}
