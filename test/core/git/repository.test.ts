import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findRepository, isBareRepository } from "../../../src/core/git/repository.ts";
import {
  commit,
  ENVIRONMENT,
  git,
  gitOrNothing,
  initRepository,
  repositoryAt,
  temporaryDirectory,
} from "./sandbox.ts";

const base = temporaryDirectory();

function fromGit(directory: string) {
  const answer = gitOrNothing(
    directory,
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-dir",
    "--git-common-dir",
  );
  if (answer === undefined) return undefined;
  const [root, gitDir, commonDir] = answer.split("\n");
  return { root, gitDir, commonDir };
}

function found(directory: string) {
  const repository = findRepository(directory, ENVIRONMENT);
  if (repository === undefined) return undefined;
  const { root, gitDir, commonDir } = repository;
  return { root, gitDir, commonDir };
}

beforeAll(() => {
  const plain = initRepository(join(base, "plain"));
  commit(plain, "first", { "src/deep/file.txt": "1" });
  git(plain, "worktree", "add", "-q", "-b", "side", join(base, "linked"));
  git(plain, "worktree", "add", "-q", "--detach", join(plain, ".claude/worktrees/x"));
  mkdirSync(join(base, "linked/sub/dir"), { recursive: true });

  const project = join(base, "project");
  mkdirSync(project);
  git(project, "clone", "-q", "--bare", plain, ".bare");
  writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
  git(project, "worktree", "add", "-q", "-b", "one", join(project, "one"));
  git(project, "worktree", "add", "-q", "-b", "two", join(project, "two"));

  const parent = initRepository(join(base, "parent"));
  git(parent, "submodule", "add", "-q", plain, "vendor/module");
  commit(parent, "with a submodule");
  initRepository(join(parent, "nested"));

  git(base, "clone", "-q", "--depth", "1", `file://${plain}`, "shallow");
  initRepository(join(base, "empty"));
  git(base, "init", "-q", "--separate-git-dir", join(base, "elsewhere"), join(base, "separate"));
  const sha256 = join(base, "sha256");
  mkdirSync(sha256);
  git(sha256, "init", "-q", "-b", "main", "--object-format=sha256");
  initRepository(join(base, "외주/app 'x'"));

  const turned = initRepository(join(base, "turned"));
  mkdirSync(join(base, "turned-worktree"));
  git(turned, "config", "core.worktree", join(base, "turned-worktree"));

  const perWorktree = initRepository(join(base, "per-worktree"));
  commit(perWorktree, "first");
  git(perWorktree, "config", "extensions.worktreeConfig", "true");
  git(perWorktree, "worktree", "add", "-q", join(base, "per-worktree-linked"));
  git(join(base, "per-worktree-linked"), "config", "--worktree", "core.sparseCheckout", "false");
});

describe("findRepository agrees with git rev-parse", () => {
  const directories = [
    "plain",
    "plain/src/deep",
    "linked",
    "linked/sub/dir",
    "plain/.claude/worktrees/x",
    "project/one",
    "project/two",
    "project",
    "project/.bare",
    "parent",
    "parent/vendor",
    "parent/vendor/module",
    "parent/vendor/module/src",
    "parent/nested",
    "parent/.git/modules/vendor/module",
    "shallow",
    "empty",
    "separate",
    "sha256",
    "외주/app 'x'",
    "turned",
    "per-worktree",
    "per-worktree-linked",
    "plain/.git",
    "plain/.git/refs/heads",
    "plain/.git/worktrees/linked",
    ".",
  ];

  it.each(directories)("in %s", (directory) => {
    const path = join(base, directory);
    expect(found(path)).toEqual(fromGit(path));
  });

  it("finds every one of the layouts that has a work tree", () => {
    const without = directories.filter((directory) => found(join(base, directory)) === undefined);
    expect(without).toEqual([
      "project",
      "project/.bare",
      "plain/.git",
      "plain/.git/refs/heads",
      "plain/.git/worktrees/linked",
      ".",
    ]);
  });
});

describe("one directory by several spellings", () => {
  it("is one root, whatever link, dots or trailing slash led there", () => {
    symlinkSync(join(base, "plain"), join(base, "link-to-plain"));
    const roots = ["link-to-plain", "link-to-plain/src/deep", "plain/", "plain/src/../../plain/src"].map(
      (spelling) => found(`${base}/${spelling}`)?.root,
    );
    expect(new Set(roots)).toEqual(new Set([join(base, "plain")]));
  });

  it("keeps different directories apart", () => {
    const names = ["외주/app", "개인/app", "a_b", "a-b", "a/b", "a.b"];
    const roots = names.map((name) => found(initRepository(join(base, "names", name)))?.commonDir);
    expect(new Set(roots).size).toBe(names.length);
  });

  it("tells A from a where the disk does, and takes them for one where it does not", () => {
    const upper = initRepository(join(base, "case", "A"));
    const lower = join(base, "case", "a");
    const isOne = existsSync(lower);
    if (!isOne) initRepository(lower);
    expect(found(upper)?.commonDir === found(lower)?.commonDir).toBe(isOne);
  });

  it("follows a .git that is a link to a directory, as git does", () => {
    const real = initRepository(join(base, "real-git"));
    renameSync(join(real, ".git"), join(base, "moved-git"));
    symlinkSync(join(base, "moved-git"), join(real, ".git"));
    expect(found(real)).toEqual({
      root: real,
      gitDir: join(base, "moved-git"),
      commonDir: join(base, "moved-git"),
    });
  });
});

describe("what must not mislead", () => {
  it("ignores where GIT_DIR and GIT_WORK_TREE point", () => {
    const extra = { GIT_DIR: join(base, "parent/.git"), GIT_WORK_TREE: join(base, "parent") };
    expect(repositoryAt(join(base, "linked"), extra).root).toBe(join(base, "linked"));
  });

  it("does not take a lost worktree inside a checkout for the checkout", () => {
    const lost = join(base, "plain/.claude/worktrees/lost");
    git(join(base, "plain"), "worktree", "add", "-q", "--detach", lost);
    rmSync(join(base, "plain/.git/worktrees/lost"), { recursive: true });
    expect(found(lost)).toBeUndefined();
    expect(fromGit(lost)).toBeUndefined();
  });

  it.each([
    ["an empty .git file", ""],
    ["a .git file of another kind", "hello\n"],
    ["a .git file that leads to itself", "gitdir: .git\n"],
    ["a .git file with a NUL", "gitdir: a\0b\n"],
  ])("stops at %s", (name, content) => {
    const directory = join(base, "plain", name.replaceAll(" ", "-"));
    mkdirSync(directory);
    writeFileSync(join(directory, ".git"), content);
    expect(found(directory)).toBeUndefined();
    rmSync(directory, { recursive: true });
  });

  it("never waits for a FIFO in place of a file", () => {
    const directory = join(base, "fifo");
    mkdirSync(join(directory, ".git/objects"), { recursive: true });
    mkdirSync(join(directory, ".git/refs"));
    execFileSync("mkfifo", [join(directory, ".git/HEAD"), join(directory, ".git/config")]);
    expect(found(directory)).toBeUndefined();
    rmSync(directory, { recursive: true });
  });

  it("finds nothing in what is not an existing absolute directory", () => {
    const file = join(base, "plain/src/deep/file.txt");
    for (const path of ["", ".", "plain", join(base, "never"), `${base}/\0`, file]) {
      expect(found(path)).toBeUndefined();
    }
  });

  it("goes no further than a ceiling", () => {
    const deep = join(base, "plain/src/deep");
    const ceiling = { ...ENVIRONMENT, GIT_CEILING_DIRECTORIES: `relative:${join(base, "plain")}` };
    expect(findRepository(deep, ceiling)).toBeUndefined();
    expect(findRepository(join(base, "plain"), ceiling)?.root).toBe(join(base, "plain"));
  });

  it("reads a repository of another owner, which git itself would refuse", () => {
    const copy = join(base, "foreign-owner");
    cpSync(join(base, "plain/.git"), join(copy, ".git"), { recursive: true });
    const refusing = { ...ENVIRONMENT, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
    expect(findRepository(copy, refusing)?.root).toBe(copy);
  });

  it("asks git when the configuration cannot be read here", () => {
    const broken = initRepository(join(base, "broken-config"));
    writeFileSync(join(broken, ".git/config"), "[core\n");
    expect(found(broken)).toBeUndefined();
    expect(fromGit(broken)).toBeUndefined();
  });
});

describe("isBareRepository", () => {
  it.each([
    ["project", true],
    ["project/.bare", true],
    ["project/.bare/refs", true],
    ["project/one", false],
    ["plain", false],
    ["plain/.git", false],
    [".", false],
  ])("%s: %s", (directory, bare) => {
    expect(isBareRepository(join(base, directory))).toBe(bare);
  });

  it("knows a bare repository whose configuration does not say so", () => {
    const bare = join(base, "unsaid.git");
    git(base, "init", "-q", "--bare", bare);
    git(bare, "config", "--unset", "core.bare");
    expect(isBareRepository(bare)).toBe(true);
    expect(found(bare)).toBeUndefined();
  });
});
