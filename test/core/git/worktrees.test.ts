import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  isRegisteredWorktree,
  listWorktrees,
  recordedWorktreeId,
  type Worktree,
} from "../../../src/core/git/worktrees.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
const main = join(base, "main");

interface Listed {
  path: string;
  commit: string | undefined;
  branch: string;
}

/** `git worktree list --porcelain`, without the entry of a bare repository. */
function fromGit(directory: string): Listed[] {
  const blocks = git(directory, "worktree", "list", "--porcelain").split("\n\n");
  return blocks
    .map((block) => new Map(block.split("\n").map((line) => line.split(/ (.*)/s, 2) as [string, string])))
    .filter((block) => !block.has("bare"))
    .map((block) => {
      const id = block.get("HEAD");
      return {
        path: block.get("worktree") as string,
        commit: id === undefined || /^0+$/.test(id) ? undefined : id,
        branch: block.get("branch")?.replace("refs/heads/", "") ?? "DETACHED",
      };
    });
}

function shown(worktrees: Worktree[]): Listed[] {
  return worktrees.map(({ path, commit: id, branch = "" }) => ({ path, commit: id, branch }));
}

beforeAll(() => {
  initRepository(main);
  commit(main, "first", { file: "1" });
  git(main, "worktree", "add", "-q", "-b", "topic/日本", join(base, "z topic"));
  git(main, "worktree", "add", "-q", "--detach", join(base, "a-detached"));
  git(main, "worktree", "add", "-q", "-b", "inside", join(main, ".claude/worktrees/inside"));
  git(main, "worktree", "add", "-q", "-b", "gone", join(base, "gone"));
  rmSync(join(base, "gone"), { recursive: true });
});

describe("listWorktrees", () => {
  it("agrees with git worktree list, from every worktree", () => {
    for (const directory of [main, join(base, "z topic"), join(main, ".claude/worktrees/inside")]) {
      expect(shown(listWorktrees(repositoryAt(directory)))).toEqual(fromGit(directory));
    }
  });

  it("marks the main worktree, and those whose directory is gone", () => {
    const worktrees = listWorktrees(repositoryAt(main));
    expect(worktrees.filter((worktree) => worktree.main).map(({ path }) => path)).toEqual([main]);
    expect(worktrees.filter((worktree) => !worktree.exists).map(({ path }) => path)).toEqual([
      join(base, "gone"),
    ]);
  });

  it("does not take another checkout at a lost worktree's path for that worktree", () => {
    initRepository(join(base, "gone"));
    const gone = listWorktrees(repositoryAt(main)).find(({ path }) => path === join(base, "gone"));
    expect(gone?.exists).toBe(false);
    rmSync(join(base, "gone"), { recursive: true });
  });

  it("lists only real worktrees of a bare repository", () => {
    const project = join(base, "project");
    mkdirSync(project);
    git(project, "clone", "-q", "--bare", main, ".bare");
    writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
    git(project, "worktree", "add", "-q", "-b", "one", join(project, "one"));
    const worktrees = listWorktrees(repositoryAt(join(project, "one")));
    expect(shown(worktrees)).toEqual(fromGit(project));
    expect(worktrees.map(({ main: isMain }) => isMain)).toEqual([false]);
  });

  it("names a submodule's own directory, also from a worktree of it", () => {
    const parent = initRepository(join(base, "parent"));
    git(parent, "submodule", "add", "-q", main, "module");
    const module = join(parent, "module");
    git(module, "worktree", "add", "-q", "-b", "side", join(base, "module-side"));
    for (const directory of [module, join(base, "module-side")]) {
      expect(listWorktrees(repositoryAt(directory)).map(({ path }) => path)).toEqual([
        module,
        join(base, "module-side"),
      ]);
    }
  });

  it("reads relative paths, as newer git writes them", () => {
    const path = initRepository(join(base, "relative"));
    commit(path, "first");
    git(path, "worktree", "add", "-q", "-b", "near", join(base, "near"));
    const gitDir = join(path, ".git/worktrees/near");
    writeFileSync(join(gitDir, "gitdir"), `${relative(gitDir, join(base, "near/.git"))}\n`);
    writeFileSync(join(base, "near/.git"), `gitdir: ${relative(join(base, "near"), gitDir)}\n`);
    const near = listWorktrees(repositoryAt(path))[1];
    expect(near).toMatchObject({ path: join(base, "near"), exists: true, branch: "near" });
    expect(isRegisteredWorktree(repositoryAt(join(base, "near")))).toBe(true);
  });

  it("works before the first commit, and passes over what is no worktree's directory", () => {
    const empty = initRepository(join(base, "empty"));
    expect(listWorktrees(repositoryAt(empty))).toEqual([
      { path: empty, gitDir: join(empty, ".git"), exists: true, main: true, branch: "main" },
    ]);
    mkdirSync(join(empty, ".git/worktrees/stray"), { recursive: true });
    writeFileSync(join(empty, ".git/worktrees/file"), "");
    expect(listWorktrees(repositoryAt(empty))).toHaveLength(1);
  });
});

describe("isRegisteredWorktree", () => {
  it("knows main and linked worktrees", () => {
    expect(isRegisteredWorktree(repositoryAt(main))).toBe(true);
    expect(isRegisteredWorktree(repositoryAt(join(base, "z topic")))).toBe(true);
  });

  it("knows neither a copy nor a worktree that was moved by hand", () => {
    cpSync(join(base, "a-detached"), join(base, "copy"), { recursive: true });
    expect(isRegisteredWorktree(repositoryAt(join(base, "copy")))).toBe(false);
    git(main, "worktree", "add", "-q", "-b", "moving", join(base, "before"));
    renameSync(join(base, "before"), join(base, "after"));
    expect(isRegisteredWorktree(repositoryAt(join(base, "after")))).toBe(false);
    git(join(base, "after"), "worktree", "repair");
    expect(isRegisteredWorktree(repositoryAt(join(base, "after")))).toBe(true);
  });
});

describe("recordedWorktreeId", () => {
  const golden = new URL("../../fixtures/golden/worktree-ids.json", import.meta.url);
  const rows = JSON.parse(readFileSync(golden, "utf8")) as { path: string; worktree_id: string }[];

  it.each(rows)("of $path", ({ path, worktree_id }) => {
    expect(recordedWorktreeId(path)).toBe(worktree_id);
  });
});
