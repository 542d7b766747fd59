import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/core/base/id.ts";
import {
  electedRemote,
  localRepositoryId,
  sharedRepositoryId,
  withoutUserInformation,
} from "../../../src/core/git/remote.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
let count = 0;

function withRemotes(remotes: Record<string, string>): string {
  count += 1;
  const path = initRepository(join(base, `r${count}`));
  for (const [name, url] of Object.entries(remotes)) git(path, "remote", "add", name, url);
  return path;
}

describe("electedRemote", () => {
  it("is none without remotes", () => {
    expect(electedRemote(repositoryAt(withRemotes({})), "main")).toEqual({ ok: true, value: undefined });
  });

  it("is the only one", () => {
    const path = withRemotes({ upstream: "u@h:x" });
    expect(electedRemote(repositoryAt(path), "main")).toMatchObject({
      value: { name: "upstream", url: "u@h:x" },
    });
  });

  it("is origin among several", () => {
    const path = withRemotes({ another: "h:a", origin: "h:o" });
    expect(electedRemote(repositoryAt(path), "main")).toMatchObject({ value: { name: "origin" } });
  });

  it("is the branch's upstream before origin", () => {
    const path = withRemotes({ another: "h:a", origin: "h:o" });
    git(path, "config", "branch.topic/x.y.remote", "another");
    expect(electedRemote(repositoryAt(path), "topic/x.y")).toMatchObject({ value: { name: "another" } });
    expect(electedRemote(repositoryAt(path), "main")).toMatchObject({ value: { name: "origin" } });
    expect(electedRemote(repositoryAt(path), "DETACHED")).toMatchObject({ value: { name: "origin" } });
  });

  it("takes an upstream in the same repository, or one that is gone, for none", () => {
    const path = withRemotes({ origin: "h:o", another: "h:a" });
    for (const upstream of [".", "removed"]) {
      git(path, "config", "branch.main.remote", upstream);
      expect(electedRemote(repositoryAt(path), "main")).toMatchObject({ value: { name: "origin" } });
    }
  });

  it("refuses to choose, and lists", () => {
    const path = withRemotes({ zwei: "h:z", eins: "h:e" });
    expect(electedRemote(repositoryAt(path), "main")).toEqual({ ok: false, error: ["eins", "zwei"] });
  });

  it("sees what an included file and per-worktree configuration add", () => {
    const path = withRemotes({});
    writeFileSync(join(path, ".git/more"), '[remote "origin"]\n\turl = h:included\n');
    appendFileSync(join(path, ".git/config"), "[include]\n\tpath = more\n");
    expect(electedRemote(repositoryAt(path), "main")).toMatchObject({ value: { url: "h:included" } });

    const split = withRemotes({});
    git(split, "config", "extensions.worktreeConfig", "true");
    git(split, "config", "--worktree", "remote.own.url", "h:own");
    expect(electedRemote(repositoryAt(split), "main")).toMatchObject({
      value: { name: "own", url: "h:own" },
    });
  });

  it("is the same in a linked worktree", () => {
    const path = withRemotes({ origin: "h:o" });
    commit(path, "first");
    git(path, "worktree", "add", "-q", join(base, "linked"));
    expect(electedRemote(repositoryAt(join(base, "linked")), "linked")).toMatchObject({
      value: { url: "h:o" },
    });
  });

  it("takes the first of several addresses", () => {
    const path = withRemotes({ origin: "h:first" });
    git(path, "remote", "set-url", "--add", "origin", "h:second");
    expect(electedRemote(repositoryAt(path), "main")).toMatchObject({ value: { url: "h:first" } });
  });
});

describe("withoutUserInformation", () => {
  it.each([
    ["https://user:secret@host/owner/name.git", "https://host/owner/name.git"],
    ["https://token@host:8443/x", "https://host:8443/x"],
    ["https://a@b:c@host/x", "https://host/x"],
    ["ssh://git@host:22/x", "ssh://host:22/x"],
    ["git+ssh://git@host/x", "git+ssh://host/x"],
    ["https://host/x@y", "https://host/x@y"],
    ["https://host?u=a@b", "https://host?u=a@b"],
    ["git@github.com:owner/name.git", "git@github.com:owner/name.git"],
    ["/srv/a@b/x", "/srv/a@b/x"],
  ])("%s", (url, expected) => {
    expect(withoutUserInformation(url)).toBe(expected);
  });

  it("leaves no password behind, and nothing more to cut", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~!$&'()*+,;=%-]{1,12}$/);
    fc.assert(
      fc.property(word, word, word, (user, password, path) => {
        const cut = withoutUserInformation(`https://${user}:${password}@example.org/${path}`);
        expect(cut).toBe(`https://example.org/${path}`);
        expect(withoutUserInformation(cut)).toBe(cut);
      }),
    );
  });
});

describe("sharedRepositoryId", () => {
  it.each([
    ["git@github.com:owner/name.git", "git@github.com:owner/name.git"],
    ["https://user:secret@host/x.git", "https://host/x.git"],
    ["ssh://git@host/x", "ssh://host/x"],
    ["host:x", "host:x"],
    ["codecommit::region://x", "codecommit::region://x"],
  ])("of %s is %s", (url, expected) => {
    expect(sharedRepositoryId(repositoryAt(withRemotes({ origin: url })), "main")).toBe(expected);
  });

  it.each(["/srv/git/x.git", "../x", "./a:b", "file:///srv/x", "FILE://x", "C:\\x", "C:/x", "~/x"])(
    "takes %s for no remote",
    (url) => {
      const path = withRemotes({ origin: url });
      const expected = `local:${sha256Hex(join(path, ".git")).slice(0, 16)}`;
      expect(sharedRepositoryId(repositoryAt(path), "main")).toBe(expected);
    },
  );

  it("is local without a remote, and where none can be elected", () => {
    expect(sharedRepositoryId(repositoryAt(withRemotes({})), "main")).toMatch(/^local:[0-9a-f]{16}$/);
    const several = repositoryAt(withRemotes({ a: "h:a", b: "h:b" }));
    expect(sharedRepositoryId(several, "main")).toMatch(/^local:[0-9a-f]{16}$/);
  });
});

describe("localRepositoryId", () => {
  it("is the common directory, the same in every worktree", () => {
    const path = withRemotes({});
    commit(path, "first");
    git(path, "worktree", "add", "-q", join(base, "second"));
    expect(localRepositoryId(repositoryAt(path))).toBe(join(path, ".git"));
    expect(localRepositoryId(repositoryAt(join(base, "second")))).toBe(join(path, ".git"));
  });
});
