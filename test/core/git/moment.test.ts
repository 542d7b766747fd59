import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changedBetween, commitsBetween } from "../../../src/core/git/commits.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import {
  commit,
  git,
  initRepository,
  pathWithGit,
  REAL_GIT,
  repositoryAt,
  temporaryDirectory,
} from "./sandbox.ts";

const directory = temporaryDirectory();

/** A repository whose git notes each of its runs. */
function counted(root: string) {
  const log = join(directory, `runs-${Math.trunc(performance.now() * 1000)}`);
  writeFileSync(log, "");
  const path = pathWithGit(`${log}.bin`, `echo "$*" >> '${log}'; exec '${REAL_GIT}' "$@"`);
  chmodSync(log, 0o666);
  const runs = (): number => readFileSync(log, "utf8").split("\n").length - 1;
  return { repository: repositoryAt(root, { PATH: path }), runs };
}

/** main: one, two, (merge of side), three; side: aside; lost: stranger. */
const root = initRepository(join(directory, "branchy"));
const one = commit(root, "one", { a: "1", "old name": "x".repeat(100) });
git(root, "branch", "side");
git(root, "branch", "lost");
const two = commit(root, "two", { b: "2" });
git(root, "switch", "-q", "side");
const aside = commit(root, "aside", { c: "3" });
git(root, "switch", "-q", "main");
git(root, "merge", "-q", "--no-edit", "side");
git(root, "mv", "old name", "new name");
const three = commit(root, "three", { "ünï\ncode": "4" });
git(root, "switch", "-q", "lost");
const stranger = commit(root, "stranger", { d: "5" });
git(root, "switch", "-q", "main");
const absent = "0123456789abcdef0123456789abcdef01234567";

describe("a moment", () => {
  it("says of every commit what git says, and lists what came after it", () => {
    const moment = new Moment(repositoryAt(root), three);
    moment.list(one).list(two).judge([aside, stranger]);
    const relations = [one, two, aside, stranger, three].map((id) => moment.ancestry(id).relation);
    expect(relations).toEqual(["ancestor", "ancestor", "ancestor", "not_ancestor", "exact"]);
    for (const base of [one, two]) {
      expect(moment.since(base)).toEqual(commitsBetween(repositoryAt(root), base, three));
      expect(moment.changedSince(base)).toEqual(changedBetween(repositoryAt(root), base, three));
    }
    expect(moment.since(stranger).state).toBe("diverged");
    expect(moment.changedSince(stranger).ok).toBe(false);
    expect(moment.since(three)).toEqual({ state: "ok", commits: [] });
    expect(moment.tree()).toEqual({ ok: true, value: { state: "clean", changed: [] } });
  });

  it("answers everything that was announced by one process, files by one more, the tree by one more", () => {
    const { repository, runs } = counted(root);
    const moment = new Moment(repository, three).list(one).list(two).judge([aside, stranger]);
    for (const id of [one, two, aside, stranger]) moment.ancestry(id);
    moment.since(one);
    moment.since(two);
    expect(runs()).toBe(1);
    moment.changedSince(one);
    moment.changedSince(two);
    expect(runs()).toBe(2);
    moment.tree();
    moment.tree();
    expect(runs()).toBe(3);
  });

  it("asks nothing about HEAD itself", () => {
    const { repository, runs } = counted(root);
    const moment = new Moment(repository, three).list(three).judge([three]);
    expect([moment.ancestry(three).relation, moment.since(three).state]).toEqual(["exact", "ok"]);
    expect(moment.changedSince(three)).toEqual({ ok: true, value: [] });
    expect(runs()).toBe(0);
  });

  it("tells an absent commit from one of another line, and still answers for the others", () => {
    const moment = new Moment(repositoryAt(root), three).list(absent).list(one).judge([stranger]);
    expect(moment.ancestry(absent).relation).toBe("absent");
    expect(moment.ancestry(stranger).relation).toBe("not_ancestor");
    expect(moment.since(absent).state).toBe("diverged");
    expect(moment.since(one)).toEqual(commitsBetween(repositoryAt(root), one, three));
  });

  it("lists after a commit that lies below the one that was announced first", () => {
    const moment = new Moment(repositoryAt(root), three).list(two).judge([one]);
    expect(moment.since(two)).toEqual(commitsBetween(repositoryAt(root), two, three));
    expect(moment.since(one)).toEqual(commitsBetween(repositoryAt(root), one, three));
  });

  it("learns of a commit that was announced late", () => {
    const moment = new Moment(repositoryAt(root), three).list(two);
    expect(moment.ancestry(two).relation).toBe("ancestor");
    expect(moment.ancestry(stranger).relation).toBe("not_ancestor");
  });

  it("knows nothing of commits before the first one, nor of what is no commit id", () => {
    const empty = initRepository(join(directory, "empty"));
    const moment = new Moment(repositoryAt(empty), undefined).list(one).judge([two]);
    expect(moment.ancestry(one)).toEqual({ relation: "unknown", reason: "no commits yet" });
    expect(moment.since(one).state).toBe("unknown");
    expect(new Moment(repositoryAt(root), three).ancestry("--all").relation).toBe("unknown");
  });

  it("says that a shallow clone cannot tell", () => {
    const clone = join(directory, "shallow");
    git(directory, "clone", "-q", "--depth", "1", `file://${root}`, clone);
    const moment = new Moment(repositoryAt(clone), three).judge([one]);
    expect(moment.ancestry(one).relation).toBe("unknown");
  });

  it("is not misled by unrelated histories", () => {
    const odd = initRepository(join(directory, "odd"));
    const base = commit(odd, "base", { a: "1" });
    git(odd, "checkout", "-q", "--orphan", "other");
    const other = commit(odd, "other", { z: "1" });
    const moment = new Moment(repositoryAt(odd), other).list(base);
    expect(moment.ancestry(base).relation).toBe("not_ancestor");
    expect(moment.since(base).state).toBe("diverged");
  });
});
