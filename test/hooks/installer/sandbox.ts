import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { InstallScope } from "../../../src/core/installation/read-place.ts";
import type { InstallTarget } from "../../../src/hooks/installer/install.ts";

/** A repository with a linked worktree, a home and a program, in a directory of its own. */
export interface Sandbox {
  directory: string;
  root: string;
  /** Another worktree of the repository. */
  sibling: string;
  commonDirectory: string;
  claudeConfigDirectory: string;
  interpreter: string;
  script: string;
  target(scope: InstallScope): InstallTarget;
}

export function git(directory: string, ...arguments_: string[]): string {
  return execFileSync("git", arguments_, { cwd: directory, encoding: "utf8" }).trim();
}

/** @param realGit the repository is one that git itself made; else only its directories are there. */
export function makeSandbox(realGit = false): Sandbox {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "mj installer-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, "repository");
  const sibling = join(directory, "sibling");
  mkdirSync(root);
  if (realGit) {
    git(root, "init", "-q", "-b", "main");
    const identity = ["-c", "user.name=Wren", "-c", "user.email=wren@example.org"];
    git(root, ...identity, "commit", "-q", "--allow-empty", "-m", "first");
    git(root, "worktree", "add", "-q", "-b", "lane", sibling);
  } else {
    write(join(root, ".git/info/exclude"), "# git ls-files --others --exclude-from=.git/info/exclude\n");
    mkdirSync(sibling);
  }
  const interpreter = join(directory, "bin/node");
  const script = join(directory, "lib/bin/majordomus");
  for (const file of [interpreter, script]) write(file, "#!/bin/sh\n", 0o755);
  const claudeConfigDirectory = join(directory, "home/.claude");
  const commonDirectory = join(root, ".git");
  return {
    directory,
    root,
    sibling,
    commonDirectory,
    claudeConfigDirectory,
    interpreter,
    script,
    target: (scope) => ({
      scope,
      root,
      worktrees: [root, sibling],
      claudeConfigDirectory,
      commonDirectory,
      interpreter,
      script,
    }),
  };
}

/** Writes a file with its directories. */
export function write(path: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** What git's own work changes, and the directories that our own state lies in. */
const PASSED_OVER =
  /(?:^|\/)\.git\/(?:(?:index|logs|objects|refs|worktrees)(?:\/|$)|majordomus(?:\/installed|\/locks(?:\/.*)?)?$)/;

/** What is in a directory: each path with its kind, mode and content. */
export function picture(directory: string): Record<string, string> {
  const entries: Record<string, string> = {};
  const walk = (relative: string): void => {
    for (const name of readdirSync(join(directory, relative)).toSorted()) {
      const path = join(relative, name);
      const full = join(directory, path);
      const stats = lstatSync(full);
      const passedOver = PASSED_OVER.test(path);
      if (stats.isDirectory()) {
        if (passedOver && !path.includes("majordomus")) continue;
        if (!passedOver) entries[path] = "directory";
        walk(path);
      } else if (passedOver) continue;
      else if (stats.isFile()) {
        const digest = createHash("sha256").update(readFileSync(full)).digest("hex");
        entries[path] = `${(stats.mode & 0o777).toString(8)} ${digest}`;
      } else entries[path] = "other";
    }
  };
  if (existsSync(directory)) walk("");
  return entries;
}
