import { spawnSync } from "node:child_process";
import { errnoOf, EXIT, MajordomusError } from "../base/error.ts";
import { pause } from "../fs/pause.ts";
import { isDirectory } from "./git-file.ts";

export type Environment = Record<string, string | undefined>;

export interface GitOptions {
  input?: string | Buffer;
  /** @default 10_000 */
  timeoutMilliseconds?: number;
  /** The most that is taken of standard output. @default 268_435_456 */
  maximumBytes?: number;
  /** Added last, over everything that is set here. */
  environment?: Record<string, string>;
  /** May talk to a remote. Without it every transport is refused, lazy fetches included. @default false */
  network?: boolean;
}

export interface GitOutcome {
  /** Null when git did not come to an end of its own. */
  status: number | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
}

const TIMEOUT_MILLISECONDS = 10_000;
const INTERRUPTIONS: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);
const INTERRUPTION_MILLISECONDS = 500;
const MAXIMUM_BYTES = 256 * 1024 * 1024;

/** What `git rev-parse --local-env-vars` names, settings given by `-c` left out: these say where a repository is. */
const LOCATION_VARIABLES = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NAMESPACE",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
];

/** The environment without the variables that would lead git to another repository than its directory's. */
export function withoutLocation(environment: Environment): Environment {
  const result = { ...environment };
  for (const name of LOCATION_VARIABLES) delete result[name];
  return result;
}

/** What git runs with: our own settings over an environment that leads to no other repository. */
export function gitEnvironment(base: Environment, options: GitOptions): Environment {
  return {
    ...withoutLocation(base),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // A partial clone would fetch a missing object in passing. The second name is for git before 2.45.
    ...(options.network === true ? {} : { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" }),
    ...options.environment,
  };
}

function interrupted(stderr: string, timedOut = false): GitOutcome {
  return { status: null, stdout: Buffer.alloc(0), stderr, timedOut };
}

const ABSENT = "git.absent";

/** Whether something failed because git is not installed, or not on the PATH of this process. */
export function isGitAbsent(error: unknown): error is MajordomusError {
  return error instanceof MajordomusError && error.code === ABSENT;
}

/**
 * Runs git in a directory and waits for it. A failure of git is an outcome, not an exception.
 *
 * @throws MajordomusError (13) when git is not installed.
 */
export function spawnGit(
  directory: string,
  environment: Environment,
  command: readonly string[],
  options: GitOptions = {},
): GitOutcome {
  const timeout = options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS;
  const result = spawnSync("git", command, {
    cwd: directory,
    env: gitEnvironment(environment, options),
    input: options.input ?? "",
    timeout,
    // git that hangs on a dead disk or remote does not answer to anything gentler.
    killSignal: "SIGKILL",
    maxBuffer: options.maximumBytes ?? MAXIMUM_BYTES,
    windowsHide: true,
  });
  // A terminal interrupts git and us at once: whoever is to end us has time to, before git is asked the next thing.
  if (result.signal !== null && INTERRUPTIONS.has(result.signal)) pause(INTERRUPTION_MILLISECONDS);
  const errno = result.error === undefined ? undefined : errnoOf(result.error);
  if (errno === "ETIMEDOUT") return interrupted(`no answer within ${timeout} ms`, true);
  if (errno === "ENOBUFS") return interrupted("more output than is taken");
  if (errno === "ENOENT" || errno === "EACCES" || errno === "ENOTDIR") {
    // The same error stands for a directory that is gone and for a program that is not there.
    if (!isDirectory(directory)) return interrupted(`the directory ${directory} is gone`);
    throw new MajordomusError({
      code: ABSENT,
      exit: EXIT.internal,
      message: "git is not installed",
      remedy: "install git and make sure that it is on PATH",
      cause: result.error,
    });
  }
  // git may end before it has read its input: its own status and message then say why.
  if (result.error !== undefined && errno !== "EPIPE") return interrupted(result.error.message);
  return {
    status: result.status,
    stdout: result.stdout,
    stderr: result.stderr.toString("utf8"),
    timedOut: false,
  };
}
