import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readHead, readHeadFiles, type Head } from "../../../src/core/git/head.ts";
import {
  commit,
  git,
  gitOrNothing,
  initRepository,
  pathWithGit,
  REAL_GIT,
  repositoryAt,
  temporaryDirectory,
} from "./sandbox.ts";

const base = temporaryDirectory();
const path = join(base, "main");
let first = "";
let second = "";

function fromGit(directory: string): Head {
  const reference = gitOrNothing(directory, "symbolic-ref", "-q", "HEAD");
  return {
    branch: reference?.replace("refs/heads/", "") ?? "DETACHED",
    commit: gitOrNothing(directory, "rev-parse", "-q", "--verify", "HEAD"),
  };
}

beforeAll(() => {
  initRepository(path);
  first = commit(path, "first");
  second = commit(path, "second");
});

describe("readHead agrees with git", () => {
  it.each(["feature/with/slashes", "größe-日本", "v1.0", "a@b", "HEAD-ish"])("on the branch %s", (branch) => {
    git(path, "switch", "-q", "-C", branch, first);
    expect(readHead(repositoryAt(path))).toEqual({ branch, commit: first });
    expect(fromGit(path)).toEqual({ branch, commit: first });
    git(path, "pack-refs", "--all");
    expect(readHead(repositoryAt(path))).toEqual({ branch, commit: first });
  });

  it("takes the loose reference before the packed one", () => {
    git(path, "switch", "-q", "-C", "both", first);
    git(path, "pack-refs", "--all");
    git(path, "reset", "-q", "--hard", second);
    expect(readHead(repositoryAt(path))).toEqual({ branch: "both", commit: second });
  });

  it("does not confuse a packed name with the end of a longer one", () => {
    git(path, "branch", "-f", "team/tail", first);
    git(path, "switch", "-q", "-C", "tail", second);
    git(path, "pack-refs", "--all");
    expect(readHead(repositoryAt(path))).toEqual({ branch: "tail", commit: second });
  });

  it("when a tag has the branch's name", () => {
    git(path, "switch", "-q", "-C", "twin", second);
    git(path, "tag", "-f", "twin", first);
    expect(readHead(repositoryAt(path))).toEqual({ branch: "twin", commit: second });
  });

  it("detached, at a commit and at a tag", () => {
    git(path, "switch", "-q", "--detach", first);
    expect(readHead(repositoryAt(path))).toEqual({ branch: "DETACHED", commit: first });
    git(path, "tag", "-f", "-m", "annotated", "release", second);
    git(path, "switch", "-q", "--detach", "release");
    expect(readHead(repositoryAt(path))).toEqual({ branch: "DETACHED", commit: second });
  });

  it("without commits, on main and on a branch beside a folder of its name", () => {
    const empty = initRepository(join(base, "empty"));
    expect(readHead(repositoryAt(empty))).toEqual({ branch: "main", commit: undefined });
    git(path, "switch", "-q", "--orphan", "unborn");
    expect(readHead(repositoryAt(path))).toEqual({ branch: "unborn", commit: undefined });
    git(path, "switch", "-q", "main");
  });

  it("through a chain of symbolic references", () => {
    git(path, "symbolic-ref", "refs/heads/alias", "refs/heads/alias-of-alias");
    git(path, "symbolic-ref", "refs/heads/alias-of-alias", "refs/heads/main");
    git(path, "symbolic-ref", "HEAD", "refs/heads/alias");
    expect(readHead(repositoryAt(path))).toEqual(fromGit(path));
    expect(readHead(repositoryAt(path)).branch).toBe("main");
    git(path, "symbolic-ref", "HEAD", "refs/heads/main");
  });

  it("in a linked worktree, whose HEAD is its own", () => {
    const linked = join(base, "linked");
    git(path, "worktree", "add", "-q", "-b", "own", linked, first);
    expect(readHead(repositoryAt(linked))).toEqual({ branch: "own", commit: first });
    expect(readHead(repositoryAt(path))).toEqual({ branch: "main", commit: second });
    git(path, "pack-refs", "--all");
    expect(readHead(repositoryAt(linked))).toEqual({ branch: "own", commit: first });
  });

  it("in a repository of SHA-256 objects, a submodule and a shallow clone", () => {
    const long = join(base, "long");
    mkdirSync(long);
    git(long, "init", "-q", "-b", "main", "--object-format=sha256");
    expect(readHead(repositoryAt(long)).commit).toBeUndefined();
    const id = commit(long, "first");
    expect(id).toHaveLength(64);
    expect(readHead(repositoryAt(long))).toEqual({ branch: "main", commit: id });

    const parent = initRepository(join(base, "parent"));
    git(parent, "submodule", "add", "-q", path, "module");
    expect(readHead(repositoryAt(join(parent, "module")))).toEqual({ branch: "main", commit: second });

    git(base, "clone", "-q", "--depth", "1", `file://${path}`, "shallow");
    expect(readHead(repositoryAt(join(base, "shallow")))).toEqual({ branch: "main", commit: second });
  });

  it("during a rebase that stopped, as detached", () => {
    const stopped = initRepository(join(base, "stopped"));
    commit(stopped, "one", { file: "1" });
    git(stopped, "switch", "-q", "-c", "side");
    commit(stopped, "two", { file: "2" });
    git(stopped, "switch", "-q", "main");
    commit(stopped, "three", { file: "3" });
    git(stopped, "switch", "-q", "side");
    expect(gitOrNothing(stopped, "rebase", "-q", "main")).toBeUndefined();
    expect(readHead(repositoryAt(stopped))).toEqual(fromGit(stopped));
    expect(readHead(repositoryAt(stopped)).branch).toBe("DETACHED");
  });
});

describe("what files do not tell is asked of git", () => {
  it("HEAD or a branch that is a link", () => {
    const linked = initRepository(join(base, "links"));
    const id = commit(linked, "first");
    rmSync(join(linked, ".git/HEAD"));
    symlinkSync("refs/heads/main", join(linked, ".git/HEAD"));
    expect(readHeadFiles(repositoryAt(linked))).toBeUndefined();
    expect(readHead(repositoryAt(linked))).toEqual({ branch: "main", commit: id });
  });

  it("packed references that are a link, as in a shared clone", () => {
    const linked = initRepository(join(base, "packed-link"));
    const id = commit(linked, "first");
    git(linked, "pack-refs", "--all");
    renameSync(join(linked, ".git/packed-refs"), join(base, "packed"));
    symlinkSync(join(base, "packed"), join(linked, ".git/packed-refs"));
    expect(readHead(repositoryAt(linked))).toEqual({ branch: "main", commit: id });
  });

  it.each(["ref: ../../etc/passwd", "ref: refs/heads/../../x", "ref: refs/heads/a b"])(
    "a name like %s",
    (line) => {
      const hostile = initRepository(join(base, "hostile"));
      const repository = repositoryAt(hostile);
      writeFileSync(join(hostile, ".git/HEAD"), `${line}\n`);
      expect(readHeadFiles(repository)).toBeUndefined();
      expect(readHead(repository).commit).toBeUndefined();
      rmSync(hostile, { recursive: true });
    },
  );

  it("a loop of symbolic references and a broken branch, without a commit and without throwing", () => {
    const loop = initRepository(join(base, "loop"));
    writeFileSync(join(loop, ".git/refs/heads/main"), "ref: refs/heads/main\n");
    expect(readHead(repositoryAt(loop)).commit).toBeUndefined();
    writeFileSync(join(loop, ".git/refs/heads/main"), "not a hash\n");
    expect(readHead(repositoryAt(loop)).commit).toBeUndefined();
    writeFileSync(join(loop, ".git/refs/heads/main"), "");
    expect(readHead(repositoryAt(loop)).commit).toBeUndefined();
  });

  /** git before 2.45 makes no such repository: its files are laid out as git documents them, and git is simulated. */
  describe("reftable", () => {
    const id = "a".repeat(40);
    const answering = pathWithGit(
      join(base, "answering"),
      `case "$*" in *symbolic-ref*) echo refs/heads/topic/x;; *rev-parse*) echo ${id};; *) exec ${REAL_GIT} "$@";; esac`,
    );

    it.each([
      ["the stub in HEAD", "ref: refs/heads/.invalid\n"],
      ["the setting alone", "ref: refs/heads/main\n"],
    ])("known by %s", (_name, head) => {
      const table = initRepository(join(base, "table"));
      git(table, "config", "core.repositoryformatversion", "1");
      const config = readFileSync(join(table, ".git/config"), "utf8");
      writeFileSync(join(table, ".git/config"), `${config}[extensions]\n\trefStorage = reftable\n`);
      writeFileSync(join(table, ".git/HEAD"), head);
      const repository = repositoryAt(table, { PATH: answering });
      expect(repository.root).toBe(table);
      expect(readHeadFiles(repository)).toBeUndefined();
      expect(readHead(repository)).toEqual({ branch: "topic/x", commit: id });
      rmSync(table, { recursive: true });
    });
  });
});
