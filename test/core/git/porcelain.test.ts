import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPorcelain } from "../../../src/core/git/porcelain.ts";
import { readHead } from "../../../src/core/git/head.ts";
import { ENVIRONMENT, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
const author = { name: "Grace Hopper", email: "grace@example.org" };
const at = Date.UTC(2026, 8, 4, 12, 30, 15);

describe("openPorcelain", () => {
  it("makes a repository and commits with the given author and time, repeatably", async () => {
    const ids: string[] = [];
    for (const name of ["one", "two/deep"]) {
      const porcelain = openPorcelain(join(base, name), ENVIRONMENT);
      await porcelain.initRepository({ branch: "trunk" });
      const files = { "src/größe.txt": "1\n", "-dash": "2\n" };
      ids.push(await porcelain.commitFiles({ files, message: "first\n\nbody", at, author }));
    }
    expect(ids[0]).toBe(ids[1]);
    const path = join(base, "one");
    expect(readHead(repositoryAt(path))).toEqual({ branch: "trunk", commit: ids[0] });
    expect(git(path, "log", "-1", "--format=%an <%ae>%n%cn <%ce>%n%at %ct%n%B")).toBe(
      [
        "Grace Hopper <grace@example.org>",
        "Grace Hopper <grace@example.org>",
        `${at / 1000} ${at / 1000}`,
        "first",
        "",
        "body",
      ].join("\n"),
    );
    expect(git(path, "status", "--porcelain")).toBe("");
  });

  it("commits the given files alone, and nothing at all when asked to", async () => {
    const path = initRepository(join(base, "only"));
    const porcelain = openPorcelain(path, ENVIRONMENT);
    writeFileSync(join(path, "staged"), "by the user");
    git(path, "add", "staged");
    await porcelain.commitFiles({ files: { mine: "1" }, message: "mine", at, author });
    expect(git(path, "show", "--name-only", "--format=")).toBe("mine");
    expect(git(path, "status", "--porcelain")).toBe("A  staged");
  });

  it("runs none of the user's hooks and signs nothing", async () => {
    const path = initRepository(join(base, "hooked"));
    const hooks = join(base, "hooks");
    mkdirSync(hooks);
    for (const hook of ["pre-commit", "post-commit", "post-checkout", "pre-push"]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${join(base, "hook-ran")}'\nexit 1\n`);
      chmodSync(join(hooks, hook), 0o755);
    }
    git(path, "config", "core.hooksPath", hooks);
    git(path, "config", "commit.gpgSign", "true");
    const porcelain = openPorcelain(path, ENVIRONMENT);
    await porcelain.commitFiles({ files: { a: "1" }, message: "first", at, author });
    await porcelain.createBareRemote("origin", join(base, "remotes/hooked.git"));
    await porcelain.push("origin", "main");
    await porcelain.addWorktree(join(base, "hooked-side"), "side");
    expect(existsSync(join(base, "hook-ran"))).toBe(false);
  });

  it("adds worktrees and removes them with what they hold", async () => {
    const porcelain = openPorcelain(join(base, "one"), ENVIRONMENT);
    const path = join(base, "a linked one");
    await porcelain.addWorktree(path, "topic/x");
    expect(readHead(repositoryAt(path)).branch).toBe("topic/x");
    writeFileSync(join(path, "unsaved"), "work");
    git(join(base, "one"), "worktree", "lock", path);
    await porcelain.removeWorktreeByForce(path);
    expect(existsSync(path)).toBe(false);
    expect(git(join(base, "one"), "branch", "--list", "topic/x")).toContain("topic/x");
  });

  it("pushes to a bare remote and makes it the upstream", async () => {
    const path = join(base, "pushed");
    const porcelain = openPorcelain(path, ENVIRONMENT);
    await porcelain.initRepository({ branch: "main" });
    const id = await porcelain.commitFiles({ files: { a: "1" }, message: "first", at, author });
    await porcelain.createBareRemote("origin", join(base, "remotes/pushed.git"));
    await porcelain.push("origin", "main");
    expect(git(join(base, "remotes/pushed.git"), "rev-parse", "main")).toBe(id);
    expect(git(path, "rev-parse", "--abbrev-ref", "main@{upstream}")).toBe("origin/main");
  });

  it("goes by its directory, whatever a git hook exported", async () => {
    const misled = { ...ENVIRONMENT, GIT_DIR: join(base, "only/.git"), GIT_WORK_TREE: join(base, "only") };
    const porcelain = openPorcelain(join(base, "one"), misled);
    expect(await porcelain.run(["rev-parse", "--show-toplevel"])).toBe(join(base, "one"));
  });

  it("fails as a MajordomusError with git's own words", async () => {
    const porcelain = openPorcelain(join(base, "one"), ENVIRONMENT);
    await expect(porcelain.run(["rev-parse", "--verify", "never"])).rejects.toMatchObject({
      name: "MajordomusError",
      code: "git.failed",
      exit: 13,
      message: expect.stringContaining("Needed a single revision") as string,
    });
    await expect(openPorcelain(join(base, "absent"), ENVIRONMENT).run(["status"])).rejects.toMatchObject({
      code: "git.failed",
    });
  });

  it("writes no file outside the repository", async () => {
    const porcelain = openPorcelain(join(base, "one"), ENVIRONMENT);
    for (const path of ["../outside", "a/../../outside", join(base, "outside")]) {
      const request = { files: { [path]: "x" }, message: "no", at, author };
      await expect(porcelain.commitFiles(request)).rejects.toMatchObject({
        code: "git.path_outside",
        exit: 15,
      });
    }
    expect(existsSync(join(base, "outside"))).toBe(false);
  });
});
