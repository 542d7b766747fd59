import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { VERSION } from "../base/version.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { isLockTimeout, withLock } from "../fs/lock.ts";
import { identifyProcess } from "../fs/process.ts";
import { stampOf } from "../fs/read.ts";
import { makeDirectory, moveFile } from "../fs/write.ts";
import type { Executable } from "./executable.ts";
import { leaseLockPath, servingDirectory, sweepUnfinished, writeLease } from "./lease.ts";
import type { LeasePlace } from "./lease.ts";
import { judgeLease } from "./standing.ts";
import type { ServerJudgement } from "./standing.ts";

export interface StartRequest {
  executable: Executable;
  /** Seconds without a client after which the server ends; its own default when absent. */
  idleSeconds?: number | undefined;
  /** The port to try first. */
  port?: number | undefined;
  /** The token of a lease that was found dead by asking: its place may be taken. */
  dead?: string | undefined;
  /** How long the lease's lock may be waited for, in milliseconds. */
  waitMilliseconds: number;
}

export type StartOutcome =
  | { state: "started"; pid: number }
  /** Somebody else's server stands, starts, or must not be replaced. */
  | { state: "stands"; judgement: ServerJudgement }
  | { state: "failed"; reason: string };

/** A server notes its beginning and its end: what is larger than this is years old, or says a fault many times. */
const LOG_BYTES = 1024 * 1024;

/** What belongs to the session or the git command around us, and not to a server that outlives both. */
const NOT_INHERITED = [
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_PID",
  "MAJORDOMUS_PROVIDER_SESSION",
  "MAJORDOMUS_FAULT",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
] as const;

function environmentOf(environment: LeasePlace["environment"]): Record<string, string | undefined> {
  const own = { ...environment };
  for (const name of NOT_INHERITED) delete own[name];
  return own;
}

function openLog(directory: string): number {
  const path = join(directory, "server.log");
  if ((stampOf(path)?.size ?? 0) > LOG_BYTES) moveFile(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

/** Starts the process: in a group of its own, with none of our streams, in a directory that outlives the work tree. */
function spawnServer(
  checkout: LeasePlace,
  { executable, idleSeconds, port }: StartRequest,
): number | undefined {
  const log = openLog(servingDirectory(checkout));
  try {
    const child = spawn(
      process.execPath,
      [
        executable.path,
        "serve",
        "--fallback",
        "--repo",
        checkout.root,
        ...(idleSeconds === undefined ? [] : ["--idle", `${idleSeconds}`]),
        ...(port === undefined ? [] : ["--port", `${port}`]),
      ],
      {
        cwd: checkout.common.root,
        env: environmentOf(checkout.environment),
        detached: true,
        stdio: ["ignore", log, log],
        windowsHide: true,
      },
    );
    child.on("error", () => undefined);
    child.unref();
    return child.pid;
  } finally {
    closeSync(log);
  }
}

function begin(checkout: LeasePlace, request: StartRequest, build: string): StartOutcome {
  const judgement = judgeLease(checkout, request.executable);
  const mayReplace = judgement.replaceable || judgement.lease?.token === request.dead;
  if (!mayReplace) return { state: "stands", judgement };
  const pid = spawnServer(checkout, request);
  const identity = pid === undefined ? undefined : identifyProcess(pid);
  if (identity === undefined) return { state: "failed", reason: "the server's process did not start" };
  sweepUnfinished(checkout);
  // Its lease is written for it: whoever starts a server at this moment finds that one is starting.
  writeLease(checkout, {
    token: checkout.random.hex(32),
    state: "starting",
    root: checkout.root,
    executable: request.executable.path,
    version: VERSION,
    build,
    ...identity,
    begun_at: formatTimestamp(checkout.clock.now()),
  });
  return { state: "started", pid: identity.pid };
}

/** Whoever holds the lease's lock is about to say what stands. */
const BEING_STARTED: ServerJudgement = {
  standing: "starting",
  note: "another process is starting one",
  replaceable: false,
};

const UNWRITABLE: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC"]);

/**
 * Starts a server of its own process unless one stands already, and does not wait for it. Of many who start at once one
 * starts it: the lease changes under a lock. A server whose place is taken finds out by itself and ends.
 */
export function startServer(checkout: LeasePlace, request: StartRequest): StartOutcome {
  const { build } = request.executable;
  if (build === undefined) {
    return { state: "failed", reason: "the executable is not built (run `npm run build`)" };
  }
  const directory = servingDirectory(checkout);
  try {
    makeDirectory(directory, 0o700);
    makeDirectory(checkout.layout.locks);
    return withLock(leaseLockPath(checkout), request, () => begin(checkout, request, build));
  } catch (error) {
    if (isLockTimeout(error)) return { state: "stands", judgement: BEING_STARTED };
    const shown = shownPath(checkout.root, directory);
    const reason = UNWRITABLE.has(errnoOf(error) ?? "") ? `${shown} is not writable` : reasonOf(error);
    return { state: "failed", reason };
  }
}
