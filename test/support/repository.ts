import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IDENTITY = {
  GIT_AUTHOR_NAME: "Tester",
  GIT_AUTHOR_EMAIL: "tester@example.invalid",
  GIT_COMMITTER_NAME: "Tester",
  GIT_COMMITTER_EMAIL: "tester@example.invalid",
};

/** Runs git in a directory, with an identity of its own and nobody's configuration. */
export function git(directory: string, ...arguments_: string[]): string {
  return execFileSync("git", arguments_, {
    cwd: directory,
    encoding: "utf8",
    env: { ...process.env, ...IDENTITY, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** A new repository on `main` with one commit, in a directory of its own; canonical path. */
export function newRepository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "majordomus-test-")));
  git(root, "init", "-q", "-b", "main");
  commitFile(root, "README.md", "# Test\n");
  return root;
}

/** Commits one file; returns the full commit id. */
export function commitFile(root: string, name: string, text: string): string {
  writeFileSync(join(root, name), text);
  git(root, "add", "--", name);
  git(root, "commit", "-q", "-m", `Write ${name}`, "--", name);
  return git(root, "rev-parse", "HEAD");
}
