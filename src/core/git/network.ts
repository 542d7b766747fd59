import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Cancellation } from "../base/cancellation.ts";
import type { Repository } from "./repository.ts";
import { gitEnvironment, type GitOutcome } from "./spawn.ts";

export interface NetworkOptions {
  /** How long the whole run may take. */
  timeoutMilliseconds: number;
  /** Looked at many times a second: whoever asked may not want to wait any longer. */
  signal: Cancellation;
}

/** What one look for a cancellation may be late by. */
const LOOK_MILLISECONDS = 50;
/** How long output may still come after git has ended: a connection that is kept for later may hold our pipes. */
const LINGER_MILLISECONDS = 250;
/** What git gets to take its lock files with it. */
const FAREWELL_MILLISECONDS = 500;
const CANCELLED = "was cancelled";
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/** Ends git and everything that it started: a transport that waits for a dead remote would stay for ever. */
function endGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Ended by itself.
  }
}

/**
 * Runs git against a remote. It has a process group of its own, which is ended whole when the time is up or
 * nobody waits any more; no terminal, so that nobody can be asked anything; and none of the streams of ours.
 */
export function runNetworkGit(
  repository: Repository,
  command: readonly string[],
  { timeoutMilliseconds, signal }: NetworkOptions,
): Promise<GitOutcome> {
  if (signal.aborted) {
    return Promise.resolve({ status: null, stdout: Buffer.alloc(0), stderr: CANCELLED, timedOut: false });
  }
  const reachable = lstatSync(join(repository.root, ".git"), { throwIfNoEntry: false }) !== undefined;
  const directory = reachable ? repository.root : repository.gitDir;
  const environment = { ...repository.environment, GIT_CEILING_DIRECTORIES: dirname(directory) };
  return new Promise((resolve) => {
    const child = spawn("git", command, {
      cwd: directory,
      env: gitEnvironment(environment, { network: true }),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    let bytes = 0;
    let why: string | undefined;
    let timedOut = false;
    let killer: NodeJS.Timeout | undefined;
    const stop = (reason: string): void => {
      if (why !== undefined) return;
      why = reason;
      endGroup(child.pid, "SIGTERM");
      killer = setTimeout(() => {
        endGroup(child.pid, "SIGKILL");
        child.stdout.destroy();
        child.stderr.destroy();
      }, FAREWELL_MILLISECONDS);
    };
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAXIMUM_BYTES) stop("more output than is taken");
      else chunks.push(chunk);
    };
    child.stdout.on("data", collect(output));
    child.stderr.on("data", collect(complaints));
    const limit = setTimeout(() => {
      timedOut = true;
      stop(`no answer within ${Math.ceil(timeoutMilliseconds / 1000)} s`);
    }, timeoutMilliseconds);
    const look = setInterval(() => signal.aborted && stop(CANCELLED), LOOK_MILLISECONDS);
    let settled = false;
    const settle = (status: number | null, failure?: string): void => {
      if (settled) return;
      settled = true;
      clearTimeout(limit);
      clearInterval(look);
      clearTimeout(killer);
      // git may have ended before what it started.
      if (why !== undefined) endGroup(child.pid, "SIGKILL");
      const stderr = why ?? failure ?? Buffer.concat(complaints).toString("utf8");
      resolve({ status: why === undefined ? status : null, stdout: Buffer.concat(output), stderr, timedOut });
    };
    child.once("error", (error) => settle(null, error.message));
    child.once("close", (status) => settle(status));
    child.once("exit", (status) => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        settle(status);
      }, LINGER_MILLISECONDS).unref();
    });
  });
}
