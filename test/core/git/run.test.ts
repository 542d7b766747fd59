import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gitText, runGit } from "../../../src/core/git/run.ts";
import {
  commit,
  ENVIRONMENT,
  git,
  initRepository,
  pathWithGit,
  REAL_GIT,
  repositoryAt,
  temporaryDirectory,
} from "./sandbox.ts";

const base = temporaryDirectory();
const path = join(base, "main");
let head = "";

beforeAll(() => {
  initRepository(path);
  head = commit(path, "first", { file: "1" });
});

describe("runGit", () => {
  it("gives status, output and error text, and throws for no failure of git", () => {
    expect(runGit(repositoryAt(path), ["rev-parse", "HEAD"])).toMatchObject({
      status: 0,
      stdout: Buffer.from(`${head}\n`),
      stderr: "",
      timedOut: false,
    });
    const refused = runGit(repositoryAt(path), ["rev-parse", "--verify", "never"]);
    expect(refused.status).toBe(128);
    expect(refused.stderr).toContain("fatal");
  });

  it("hands over input, and bears a git that ends before reading it", () => {
    const hashed = runGit(repositoryAt(path), ["hash-object", "--stdin"], { input: "hello" });
    expect(hashed.stdout.toString()).toBe("b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0\n");
    const unread = runGit(repositoryAt(path), ["not-a-command"], { input: "x".repeat(1 << 20) });
    expect(unread.status).toBe(1);
  });

  it("goes by the directory, whatever a git hook exported", () => {
    const other = initRepository(join(base, "other"));
    const misled = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, "index"),
      GIT_COMMON_DIR: join(other, ".git"),
      GIT_OBJECT_DIRECTORY: join(other, ".git/objects"),
      GIT_PREFIX: "sub/",
      GIT_NAMESPACE: "other",
    };
    expect(gitText(repositoryAt(path, misled), ["rev-parse", "HEAD"])).toEqual({ ok: true, value: head });
    const status = gitText(repositoryAt(path, misled), ["status", "--porcelain"]);
    expect(status).toEqual({ ok: true, value: "" });
  });

  it("speaks C, asks nobody and takes no lock for a refresh", () => {
    const shown = join(base, "environment");
    const script = `env > '${shown}'; exec ${REAL_GIT} "$@"`;
    runGit(repositoryAt(path, { PATH: pathWithGit(join(base, "recording"), script) }), ["status"]);
    const lines = readFileSync(shown, "utf8").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "LC_ALL=C",
        "GIT_OPTIONAL_LOCKS=0",
        "GIT_TERMINAL_PROMPT=0",
        "GIT_NO_LAZY_FETCH=1",
      ]),
    );
  });

  it("adds what the caller sets", () => {
    const options = { environment: { GIT_AUTHOR_NAME: "Grace" } };
    const ident = gitText(repositoryAt(path), ["var", "GIT_AUTHOR_IDENT"], options);
    expect(ident.ok && ident.value).toContain("Grace <ada@example.org>");
  });

  it("kills git that does not answer, and does not wait for what it left behind", () => {
    const slow = repositoryAt(path, { PATH: pathWithGit(join(base, "slow"), "sleep 120 & sleep 120") });
    const outcome = runGit(slow, ["status"], { timeoutMilliseconds: 200 });
    expect(outcome).toMatchObject({ status: null, timedOut: true });
    expect(gitText(slow, ["status"], { timeoutMilliseconds: 200 })).toEqual({
      ok: false,
      error: "no answer within 200 ms",
    });
  });

  it("takes no more output than it was told to", () => {
    const outcome = runGit(repositoryAt(path), ["cat-file", "commit", "HEAD"], { maximumBytes: 10 });
    expect(outcome).toMatchObject({ status: null, timedOut: false, stderr: "more output than is taken" });
  });

  it("says that git is not installed, and tells that from a directory that is gone", () => {
    const nowhere = repositoryAt(path, { PATH: join(base, "no-such-directory") });
    expect(() => runGit(nowhere, ["status"])).toThrowError(
      expect.objectContaining({ code: "git.absent", exit: 13, message: "git is not installed" }),
    );
    const lost = initRepository(join(base, "lost"));
    const repository = repositoryAt(lost);
    rmSync(lost, { recursive: true });
    expect(runGit(repository, ["status"])).toMatchObject({ status: null, timedOut: false });
    expect(gitText(repository, ["status"])).toEqual({
      ok: false,
      error: `the directory ${lost}/.git is gone`,
    });
  });

  it("never goes on to the checkout around a damaged one", () => {
    const inner = initRepository(join(path, "inner"));
    const repository = repositoryAt(inner);
    rmSync(join(inner, ".git/HEAD"));
    const asked = gitText(repository, ["rev-parse", "HEAD"]);
    expect(asked.ok).toBe(false);
    rmSync(inner, { recursive: true });
  });

  it("reaches a repository whose work tree is declared elsewhere", () => {
    const turned = initRepository(join(base, "turned"));
    mkdirSync(join(base, "turned-worktree"));
    git(turned, "config", "core.worktree", join(base, "turned-worktree"));
    writeFileSync(join(base, "turned-worktree/new"), "");
    const repository = repositoryAt(turned);
    expect(repository.root).toBe(join(base, "turned-worktree"));
    expect(gitText(repository, ["status", "--porcelain"])).toEqual({ ok: true, value: "?? new" });
  });

  it("uses no transport unless told so, not even to fill a partial clone", () => {
    const source = initRepository(join(base, "source"));
    commit(source, "one", { file: "1" });
    const second = commit(source, "two", { file: "2" });
    git(source, "config", "uploadpack.allowFilter", "true");
    git(source, "config", "uploadpack.allowAnySHA1InWant", "true");
    const partial = join(base, "partial");
    git(base, "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${source}`, partial);
    const missing = git(source, "rev-parse", `${second}:file`);
    const repository = repositoryAt(partial);
    expect(runGit(repository, ["cat-file", "-e", missing]).status).not.toBe(0);
    expect(runGit(repository, ["ls-remote", "origin"]).status).not.toBe(0);
    expect(runGit(repository, ["ls-remote", "origin"], { network: true }).status).toBe(0);
    expect(runGit(repository, ["cat-file", "-e", missing], { network: true }).status).toBe(0);
  });
});

describe("gitText", () => {
  it("cuts the newline and words a failure as one line", () => {
    expect(gitText(repositoryAt(path), ["rev-parse", "HEAD"])).toEqual({ ok: true, value: head });
    expect(gitText(repositoryAt(path), ["rev-parse", "--verify", "never"])).toEqual({
      ok: false,
      error: "Needed a single revision",
    });
    expect(gitText(repositoryAt(path), ["-c", "a.b=c", "config", "--get", "no.such"])).toEqual({
      ok: false,
      error: "git config ended with status 1",
    });
  });

  it("leaves the given environment as it was", () => {
    const before = { ...ENVIRONMENT };
    gitText(repositoryAt(path), ["rev-parse", "HEAD"]);
    expect(ENVIRONMENT).toEqual(before);
    expect(existsSync(join(path, ".git/index.lock"))).toBe(false);
  });
});
