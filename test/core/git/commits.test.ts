import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { changedBetween, commitsBetween } from "../../../src/core/git/commits.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
const path = join(base, "main");
const ids: string[] = [];
let side = "";
let merge = "";

beforeAll(() => {
  initRepository(path);
  ids.push(commit(path, "first", { "a.txt": "a long enough content\n" }));
  ids.push(commit(path, "zweiter: größe 日本", { "b.txt": "b" }));
  ids.push(commit(path, "third", { "c.txt": "c" }));
  git(path, "switch", "-q", "-c", "side", ids[0] as string);
  side = commit(path, "aside", { "side.txt": "s" });
  git(path, "switch", "-q", "main");
  git(path, "merge", "-q", "--no-ff", "-m", "merge", "side");
  merge = git(path, "rev-parse", "HEAD");
});

describe("commitsBetween", () => {
  it("lists the new commits, oldest first, with short id and subject", () => {
    const [first, second, third] = ids as [string, string, string];
    expect(commitsBetween(repositoryAt(path), first, third)).toEqual({
      state: "ok",
      commits: [
        { id: second, short: second.slice(0, 7), subject: "zweiter: größe 日本" },
        { id: third, short: third.slice(0, 7), subject: "third" },
      ],
    });
  });

  it("holds everything that a merge brought in, parents before children", () => {
    const range = commitsBetween(repositoryAt(path), ids[0] as string, merge);
    const listed = range.state === "ok" ? range.commits.map(({ id }) => id) : [];
    expect(new Set(listed)).toEqual(new Set([...ids.slice(1), side, merge]));
    expect(listed.at(-1)).toBe(merge);
    expect(listed.indexOf(ids[1] as string)).toBeLessThan(listed.indexOf(ids[2] as string));
  });

  it("is empty for one and the same commit", () => {
    expect(commitsBetween(repositoryAt(path), merge, merge)).toEqual({ state: "ok", commits: [] });
  });

  it("is diverged when the old end is not an ancestor of the new one", () => {
    expect(commitsBetween(repositoryAt(path), side, ids[2] as string).state).toBe("diverged");
    expect(commitsBetween(repositoryAt(path), merge, ids[0] as string).state).toBe("diverged");
  });

  it.each(["NONE", "", "HEAD", "--all", "main", "a".repeat(39)])("is unknown from %j", (from) => {
    expect(commitsBetween(repositoryAt(path), from, merge).state).toBe("unknown");
  });

  it("is unknown for a commit that is not here", () => {
    const absent = commitsBetween(repositoryAt(path), "f".repeat(40), merge);
    expect(absent).toMatchObject({
      state: "unknown",
      reason: expect.stringContaining("f".repeat(40)) as string,
    });
  });

  it("does not depend on the user's settings for logs", () => {
    const settings = {
      "log.showSignature": "true",
      "log.abbrevCommit": "true",
      "color.ui": "always",
      "log.follow": "true",
    };
    for (const [name, value] of Object.entries(settings)) git(path, "config", name, value);
    const range = commitsBetween(repositoryAt(path), ids[0] as string, ids[1] as string);
    expect(range).toMatchObject({ state: "ok", commits: [{ id: ids[1] }] });
  });

  it("does not call it diverged where only a shallow clone's history is cut", () => {
    git(base, "clone", "-q", "--depth", "1", `file://${path}`, "shallow");
    const shallow = join(base, "shallow");
    git(shallow, "fetch", "-q", "--depth", "1", "origin", ids[1] as string);
    const range = commitsBetween(repositoryAt(shallow), ids[1] as string, merge);
    expect(range).toMatchObject({ state: "unknown", reason: expect.stringContaining("shallow") as string });
  });
});

describe("changedBetween", () => {
  it("lists paths by bytes, of a rename the new name", () => {
    git(path, "mv", "a.txt", "Ä renamed.txt");
    const renamed = commit(path, "rename", { "d.txt": "d" });
    expect(changedBetween(repositoryAt(path), ids[1] as string, renamed)).toEqual({
      ok: true,
      value: ["c.txt", "d.txt", "side.txt", "Ä renamed.txt"],
    });
  });

  it("says why not for what is no commit", () => {
    expect(changedBetween(repositoryAt(path), "main", merge)).toMatchObject({ ok: false });
    expect(changedBetween(repositoryAt(path), "f".repeat(40), merge)).toMatchObject({ ok: false });
  });
});
