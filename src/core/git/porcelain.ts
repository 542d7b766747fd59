import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { simpleGit } from "simple-git";
import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import type { Environment } from "./spawn.ts";

/**
 * git's commands that change a repository, for long-lived surfaces and the demo. It is asynchronous, loads
 * `simple-git`, and must never be imported by anything on a hook's path.
 */

export interface Author {
  name: string;
  email: string;
}

export interface CommitRequest {
  /** Contents by path, relative to the root; written before the commit, and the only thing committed. */
  files: Record<string, string>;
  message: string;
  /** Milliseconds since the epoch, for author and committer alike. */
  at: number;
  author: Author;
}

export interface Porcelain {
  /** Makes a repository at the root, directories included, free of the user's templates. */
  initRepository(options: { branch: string }): Promise<void>;
  /** @returns the new commit's full id. No hook of the user runs and nothing is signed. */
  commitFiles(request: CommitRequest): Promise<string>;
  /** Adds a worktree at `path` (absolute) on a new branch that starts at HEAD. */
  addWorktree(path: string, branch: string): Promise<void>;
  /** Removes a worktree, uncommitted work included. The branch stays. */
  removeWorktreeByForce(path: string): Promise<void>;
  /** Makes a bare repository at `path` (absolute) and adds it as the remote `name`. */
  createBareRemote(name: string, path: string): Promise<void>;
  /** Pushes one branch and makes it the upstream. */
  push(remote: string, branch: string): Promise<void>;
  /** Runs any command; its standard output, trailing newlines cut. */
  run(command: readonly string[], extra?: Record<string, string>): Promise<string>;
}

/** A user's hooks, signatures and fetch helpers have no part in what Majordomus commits itself. */
const OWN_SETTINGS = ["core.hooksPath=/dev/null", "commit.gpgSign=false", "gc.auto=0"];

/** Editors, pagers and askers that simple-git refuses to hand on; nothing here is interactive. */
const INTERACTIVE = new Set(["EDITOR", "VISUAL", "PAGER", "PREFIX", "SSH_ASKPASS"]);
const CONFIGURATION = new Set(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

/** What git needs of the environment: of git's own variables, only those that say where its settings are. */
function inherited(environment: Environment): Environment {
  const entries = Object.entries(environment).filter(
    ([name]) => CONFIGURATION.has(name) || !(name.startsWith("GIT_") || INTERACTIVE.has(name.toUpperCase())),
  );
  return Object.fromEntries(entries);
}

async function runPorcelain(
  root: string,
  environment: Environment,
  command: readonly string[],
  extra: Record<string, string>,
): Promise<string> {
  const settings: Environment = {
    ...inherited(environment),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CEILING_DIRECTORIES: dirname(root),
    ...extra,
  };
  let exitCode: number | undefined;
  try {
    const git = simpleGit({
      baseDir: root,
      // The default waits 50 ms after each process has ended.
      completion: { onClose: true, onExit: false },
      allowEnvironment: Object.keys(settings),
      config: OWN_SETTINGS,
      // Constants of ours and the caller's environment; none of them comes from a record or a payload.
      unsafe: { allowUnsafeHooksPath: true, allowUnsafeTemplateDir: true, allowUnsafeConfigPaths: true },
      errors(error, result) {
        exitCode = result.exitCode;
        return error;
      },
    });
    const output = await git.env(settings).raw([...command]);
    return output.replace(/[\r\n]+$/, "");
  } catch (error) {
    throw new MajordomusError({
      code: "git.failed",
      exit: EXIT.internal,
      subject: root,
      message: `git ${command[0] ?? ""} failed${exitCode ? ` with status ${exitCode}` : ""}: ${reasonOf(error).trim()}`,
      cause: error,
    });
  }
}

function writeInside(root: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    if (isAbsolute(path) || normalize(path).startsWith("..")) {
      throw new MajordomusError({
        code: "git.path_outside",
        exit: EXIT.refused,
        subject: path,
        message: "the path leads out of the repository",
      });
    }
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/**
 * Opens a working copy for git's commands. The directory alone says which repository is meant: what git
 * exports to its hooks is taken out of `environment`. Every failure is a MajordomusError (13) with git's
 * own words.
 *
 * @param root absolute; need not exist before `initRepository`.
 */
export function openPorcelain(root: string, environment: Environment): Porcelain {
  const run = (command: readonly string[], extra: Record<string, string> = {}): Promise<string> =>
    runPorcelain(root, environment, command, extra);

  return {
    run,
    async initRepository({ branch }) {
      mkdirSync(root, { recursive: true });
      await run(["init", "-q", "--template=", "-b", branch]);
    },
    async commitFiles({ files, message, at, author }) {
      writeInside(root, files);
      const date = `${Math.floor(at / 1000)} +0000`;
      const identity = {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
        GIT_COMMITTER_DATE: date,
      };
      const paths = Object.keys(files);
      if (paths.length > 0) await run(["add", "--force", "--", ...paths]);
      const only = paths.length > 0 ? ["--only", "--", ...paths] : ["--allow-empty"];
      await run(["commit", "-q", "--no-verify", "--allow-empty", "-m", message, ...only], identity);
      return run(["rev-parse", "HEAD"]);
    },
    async addWorktree(path, branch) {
      await run(["worktree", "add", "-q", "-b", branch, "--", path]);
    },
    async removeWorktreeByForce(path) {
      // Twice, so that a locked worktree goes too.
      await run(["worktree", "remove", "--force", "--force", "--", path]);
    },
    async createBareRemote(name, path) {
      mkdirSync(dirname(path), { recursive: true });
      await run(["init", "-q", "--bare", "--template=", "--", path]);
      await run(["remote", "add", "--", name, path]);
    },
    async push(remote, branch) {
      await run([
        "push",
        "-q",
        "--no-verify",
        "-u",
        "--",
        remote,
        `refs/heads/${branch}:refs/heads/${branch}`,
      ]);
    },
  };
}
