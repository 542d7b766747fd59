import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll } from "vitest";
import { findRepository, type Environment, type Repository } from "../../../src/core/git/repository.ts";

/** The environment of the tests' own git: nothing of the machine's or of a git hook around the test run. */
export const ENVIRONMENT: Environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_AUTHOR_DATE: "1790000000 +0000",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_COMMITTER_DATE: "1790000000 +0000",
};

/** A fresh directory that goes away after the file's tests. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "mj-git-")));
  afterAll(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** Runs real git; throws on failure. Trailing newlines cut. */
export function git(directory: string, ...arguments_: string[]): string {
  const settings = ["-c", "protocol.file.allow=always"];
  const output = execFileSync("git", [...settings, ...arguments_], {
    cwd: directory,
    env: ENVIRONMENT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  return output.replace(/\n+$/, "");
}

/** Real git's answer, or undefined where it refuses. */
export function gitOrNothing(directory: string, ...arguments_: string[]): string | undefined {
  try {
    return git(directory, ...arguments_);
  } catch {
    return undefined;
  }
}

export function initRepository(path: string): string {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q", "-b", "main");
  return path;
}

/** Writes files and commits everything; the new commit's id. */
export function commit(directory: string, message: string, files: Record<string, string> = {}): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  git(directory, "add", "-A");
  git(directory, "commit", "-q", "--allow-empty", "-m", message);
  return git(directory, "rev-parse", "HEAD");
}

/** The repository at a directory; fails the test when there is none. */
export function repositoryAt(directory: string, extra: Environment = {}): Repository {
  const repository = findRepository(directory, { ...ENVIRONMENT, ...extra });
  if (repository === undefined) throw new Error(`no repository at ${directory}`);
  return repository;
}

/** Puts an executable `git` before the real one; the PATH that finds it. */
export function pathWithGit(directory: string, script: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, "git"), 0o755);
  return `${directory}${delimiter}${ENVIRONMENT["PATH"] ?? ""}`;
}

/** Where the real git is, for a script that passes calls on. */
export const REAL_GIT = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
