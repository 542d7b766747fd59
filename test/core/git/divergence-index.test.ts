import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { indexDivergence } from "../../../src/core/git/divergence-index.ts";
import { knownDivergence } from "../../../src/core/git/known-divergence.ts";
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

/** Makes commits by number, each with the given parents, by one `git fast-import`; their ids in order. */
function importGraph(
  path: string,
  parents: readonly (readonly number[])[],
  times: readonly number[] = parents.map((_, index) => index),
): string[] {
  initRepository(path);
  const stream = parents.map((of, index) => {
    const [first, ...others] = of.map((parent) => `:${parent + 1}`);
    const lines = [
      // A commit without parents would go on from its branch: it gets one of its own.
      `commit refs/import/${first === undefined ? index : "line"}`,
      `mark :${index + 1}`,
      `committer A <a@b> ${1_700_000_000 + (times[index] ?? 0)} +0000`,
      "data 1",
      "x",
      ...(first === undefined ? [] : [`from ${first}`]),
      ...others.map((parent) => `merge ${parent}`),
    ];
    return `${lines.join("\n")}\n\n`;
  });
  const marks = join(path, ".git/marks");
  execFileSync("git", ["fast-import", "--quiet", "--force", `--export-marks=${marks}`], {
    cwd: path,
    env: ENVIRONMENT,
    input: stream.join(""),
  });
  const ids: string[] = [];
  for (const line of readFileSync(marks, "utf8").trim().split("\n")) {
    const [mark, id] = line.split(" ") as [string, string];
    ids[Number(mark.slice(1)) - 1] = id;
  }
  return ids;
}

/** A `git` that notes each call, and how many there were. */
function counted(name: string) {
  const log = join(base, `${name}.calls`);
  const PATH = pathWithGit(join(base, name), `echo "$1" >> '${log}'; exec ${REAL_GIT} "$@"`);
  return {
    PATH,
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    reset: () => rmSync(log, { force: true }),
  };
}

function relations(index: ReturnType<typeof indexDivergence>, commits: readonly string[]): string[] {
  return commits.map((id) => index.of(id).relation);
}

describe("indexDivergence", () => {
  it("agrees with merge-base --is-ancestor on graphs of any shape", () => {
    const graph = fc
      .array(fc.array(fc.nat({ max: 50 }), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
      .map((rows) =>
        rows.map((row, index) =>
          [...new Set(row.map((parent) => parent % Math.max(index, 1)))].slice(0, index),
        ),
      );
    // Clocks that go wrong: a parent may be younger than its child.
    const times = fc.array(fc.nat({ max: 1000 }), { minLength: 12, maxLength: 12 });
    let count = 0;
    fc.assert(
      fc.property(graph, times, fc.nat(), fc.nat(), (parents, clock, choice, earlier) => {
        count += 1;
        const path = join(base, `graph-${count}`);
        const ids = importGraph(path, parents, clock);
        const head = ids[choice % ids.length] as string;
        const expected = ids.map((id) => {
          const { status } = spawnSync("git", ["merge-base", "--is-ancestor", id, head], { cwd: path });
          return id === head ? "exact" : status === 0 ? "ancestor" : "not_ancestor";
        });
        const repository = repositoryAt(path);
        expect(relations(indexDivergence(repository, head, ids), ids)).toEqual(expected);
        const before = indexDivergence(repository, ids[earlier % ids.length], ids);
        expect(relations(indexDivergence(repository, head, ids, before), ids)).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  describe("five thousand recorded commits", () => {
    const path = join(base, "large");
    const counting = counted("counting");
    let main: string[] = [];
    let side: string[] = [];
    const absent = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(40, "e"));

    beforeAll(() => {
      // 4,000 on the main line, then 900 on a line that forks off at the tenth.
      const parents = Array.from({ length: 4900 }, (_, index) =>
        index === 0 ? [] : index === 4000 ? [10] : [index - 1],
      );
      const ids = importGraph(path, parents);
      main = ids.slice(0, 4000);
      side = ids.slice(4000);
    });

    it("are judged in two processes", () => {
      counting.reset();
      const repository = repositoryAt(path, { PATH: counting.PATH });
      const head = main.at(-1) as string;
      const index = indexDivergence(repository, head, [...main, ...side, ...absent]);
      expect(counting.calls()).toEqual(["cat-file", "rev-list"]);
      expect(index).toMatchObject({ head, shallow: false, commitsAsked: 4999 });
      expect(index.of(head).relation).toBe("exact");
      expect(new Set(relations(index, main.slice(0, -1)))).toEqual(new Set(["ancestor"]));
      expect(new Set(relations(index, side))).toEqual(new Set(["not_ancestor"]));
      expect(new Set(relations(index, absent))).toEqual(new Set(["absent"]));
    });

    it("when HEAD moves on, only what was no ancestor is asked again", () => {
      const repository = repositoryAt(path, { PATH: counting.PATH });
      const [older, newer] = [main[2000] as string, main.at(-1) as string];
      const recorded = [...main.slice(0, 2001), ...side, ...absent];
      const before = indexDivergence(repository, older, recorded);
      counting.reset();
      const after = indexDivergence(repository, newer, [...recorded, main[3000] as string], before);
      expect(counting.calls()).toEqual(["rev-list", "cat-file"]);
      // The side line and the absent ones; the new commit is among those that HEAD gained.
      expect(after.commitsAsked).toBe(900 + 100);
      expect(after.of(older).relation).toBe("ancestor");
      expect(relations(after, recorded)).toEqual(
        relations(indexDivergence(repository, newer, recorded), recorded),
      );
    });

    it("when one is recorded that was not known, only that is asked about in full", () => {
      const repository = repositoryAt(path, { PATH: counting.PATH });
      const [older, newer] = [main[2000] as string, main.at(-1) as string];
      const before = indexDivergence(repository, older, [...main.slice(0, 100), ...side.slice(1)]);
      counting.reset();
      const recorded = [main[50], main[1500], side[0], side[1]] as string[];
      const after = indexDivergence(repository, newer, recorded, before);
      expect(counting.calls()).toEqual(["rev-list", "cat-file", "rev-list"]);
      expect(relations(after, recorded)).toEqual(["ancestor", "ancestor", "not_ancestor", "not_ancestor"]);
    });

    it("when HEAD moves to another line, everything is asked again", () => {
      const repository = repositoryAt(path);
      const recorded = [...main.slice(0, 100), ...side, ...absent];
      const before = indexDivergence(repository, main[50], recorded);
      const head = side.at(-1) as string;
      const after = indexDivergence(repository, head, recorded, before);
      expect(relations(after, recorded)).toEqual(
        relations(indexDivergence(repository, head, recorded), recorded),
      );
      expect(after.of(main[10] as string).relation).toBe("ancestor");
      expect(after.of(main[11] as string).relation).toBe("not_ancestor");
    });

    it("when nothing moved, nothing settled is asked again", () => {
      const repository = repositoryAt(path, { PATH: counting.PATH });
      const head = main.at(-1) as string;
      const before = indexDivergence(repository, head, main);
      counting.reset();
      const after = indexDivergence(repository, head, main, before);
      expect(counting.calls()).toEqual([]);
      expect(after.commitsAsked).toBe(0);
      expect(after.of(main[0] as string).relation).toBe("ancestor");
    });
  });

  describe("what is no commit", () => {
    const path = join(base, "odd");
    let head = "";

    beforeAll(() => {
      initRepository(path);
      head = commit(path, "first", { file: "1" });
    });

    it("never reaches git's input", () => {
      const hostile = [
        "--all",
        "HEAD",
        "^HEAD",
        "main",
        "",
        "NONE",
        `${head}\n--all`,
        head.slice(0, 7),
        head.toUpperCase(),
      ];
      const counting = counted("hostile");
      const index = indexDivergence(repositoryAt(path, { PATH: counting.PATH }), head, hostile);
      expect(counting.calls()).toEqual([]);
      expect(index.commitsAsked).toBe(0);
      expect(new Set(relations(index, hostile))).toEqual(new Set(["unknown"]));
    });

    it("is absent when it is another kind of object", () => {
      const blob = git(path, "rev-parse", "HEAD:file");
      git(path, "tag", "-m", "annotated", "note");
      const tag = git(path, "rev-parse", "refs/tags/note");
      const long = "a".repeat(64);
      const index = indexDivergence(repositoryAt(path), head, [blob, tag, long]);
      expect(relations(index, [blob, tag, long])).toEqual(["absent", "absent", "absent"]);
    });

    it("is unknown when it was never asked about", () => {
      const index = indexDivergence(repositoryAt(path), head, []);
      expect(index.of("f".repeat(40))).toEqual({
        relation: "unknown",
        reason: "git was not asked about this commit",
      });
    });
  });

  it("says unknown for every commit while there are none", () => {
    const path = initRepository(join(base, "empty"));
    const index = indexDivergence(repositoryAt(path), undefined, ["a".repeat(40)]);
    expect(index.of("a".repeat(40))).toEqual({ relation: "unknown", reason: "no commits yet" });
    expect(index.commitsAsked).toBe(0);
  });

  it("says unknown, and why, when git does not answer", () => {
    const path = initRepository(join(base, "failing"));
    const head = commit(path, "first");
    const other = "a".repeat(40);
    const broken = repositoryAt(path, {
      PATH: pathWithGit(join(base, "broken"), "echo 'fatal: no luck' >&2; exit 128"),
    });
    expect(indexDivergence(broken, head, [other]).of(other)).toEqual({
      relation: "unknown",
      reason: "no luck",
    });
    const hanging = repositoryAt(path, { PATH: pathWithGit(join(base, "hanging"), "sleep 60") });
    const index = indexDivergence(hanging, head, [other], undefined, { timeoutMilliseconds: 100 });
    expect(index.of(other)).toMatchObject({ relation: "unknown", reason: "no answer within 100 ms" });
  });

  it("judges SHA-256 repositories too", () => {
    const path = join(base, "long");
    execFileSync("git", ["init", "-q", "-b", "main", "--object-format=sha256", path]);
    const first = commit(path, "first");
    const second = commit(path, "second");
    const index = indexDivergence(repositoryAt(path), second, [first, second]);
    expect(relations(index, [first, second])).toEqual(["ancestor", "exact"]);
  });

  describe("a shallow clone", () => {
    const source = join(base, "source");
    const shallow = join(base, "shallow");
    const ids: string[] = [];
    let side = "";

    beforeAll(() => {
      initRepository(source);
      for (let index = 0; index < 5; index += 1) ids.push(commit(source, `c${index}`));
      git(source, "switch", "-q", "-c", "side", ids[0] as string);
      side = commit(source, "aside");
      git(source, "switch", "-q", "main");
      git(base, "clone", "-q", "--depth", "2", `file://${source}`, shallow);
      git(shallow, "fetch", "-q", "--depth", "1", "origin", ids[0] as string, side);
    });

    it("never turns what it cannot know into diverged", () => {
      const index = indexDivergence(repositoryAt(shallow), ids[4], [...ids, side]);
      expect(index.shallow).toBe(true);
      expect(relations(index, [...ids, side])).toEqual([
        "unknown", // here, but the history between is cut
        "unknown", // not here
        "unknown",
        "ancestor",
        "exact",
        "unknown",
      ]);
      expect(index.of(ids[0] as string).reason).toContain("cut");
      expect(index.of(ids[2] as string).reason).toContain("not in this shallow clone");
    });

    it("knows once the history is complete", () => {
      const before = indexDivergence(repositoryAt(shallow), ids[4], [...ids, side]);
      git(shallow, "fetch", "-q", "--unshallow", "origin", "main", "side");
      const after = indexDivergence(repositoryAt(shallow), ids[4], [...ids, side], before);
      expect(after.shallow).toBe(false);
      expect(relations(after, [...ids, side])).toEqual([
        ...Array.from({ length: 4 }, () => "ancestor"),
        "exact",
        "not_ancestor",
      ]);
    });
  });

  describe("what changes beside HEAD", () => {
    /** Three commits on main, one aside that none of them has, and main's HEAD after a fourth. */
    function laidAside(name: string) {
      const path = initRepository(join(base, name));
      const [first, second, third] = ["first", "second", "third"].map((text) => commit(path, text)) as [
        string,
        string,
        string,
      ];
      git(path, "switch", "-q", "-c", "side", first);
      const aside = commit(path, "aside");
      git(path, "switch", "-q", "main");
      return { path, second, third, aside };
    }

    it.each(["loose", "packed"])("a history that is replaced (%s) is judged as git then sees it", (form) => {
      const { path, second, third, aside } = laidAside(`replaced-${form}`);
      const before = indexDivergence(repositoryAt(path), third, [second, aside]);
      expect(relations(before, [second, aside])).toEqual(["ancestor", "not_ancestor"]);
      git(path, "replace", "--graft", third, aside);
      if (form === "packed") git(path, "pack-refs", "--all");
      const grafted = indexDivergence(repositoryAt(path), third, [second, aside], before);
      expect(relations(grafted, [second, aside])).toEqual(["not_ancestor", "ancestor"]);
      const head = commit(path, "fourth");
      git(path, "replace", "-d", third);
      const after = indexDivergence(repositoryAt(path), head, [second, aside], grafted);
      expect(relations(after, [second, aside])).toEqual(["ancestor", "not_ancestor"]);
    });

    it("from one question to the next is remembered for a working copy", () => {
      const { path, second, third, aside } = laidAside("remembered");
      const counting = counted("remembering");
      const repository = repositoryAt(path, { PATH: counting.PATH });
      expect(relations(knownDivergence(repository, third, [second]), [second])).toEqual(["ancestor"]);
      const head = commit(path, "fourth");
      counting.reset();
      expect(relations(knownDivergence(repository, head, [second]), [second])).toEqual(["ancestor"]);
      expect(counting.calls()).toEqual(["rev-list"]);
      git(path, "switch", "-q", "side");
      const again = knownDivergence(repository, aside, [second, third]);
      expect(relations(again, [second, third])).toEqual(["not_ancestor", "not_ancestor"]);
    });

    it("and so is one with grafts", () => {
      const { path, second, third, aside } = laidAside("grafts");
      const before = indexDivergence(repositoryAt(path), third, [second, aside]);
      writeFileSync(join(path, ".git/info/grafts"), `${third} ${aside}\n`);
      const head = commit(path, "fourth");
      const after = indexDivergence(repositoryAt(path), head, [second, aside], before);
      expect(relations(after, [second, aside])).toEqual(["not_ancestor", "ancestor"]);
    });

    it("a commit that arrives is one that was not known, and one that is pruned is absent", () => {
      const { path, second, third, aside } = laidAside("arriving");
      const copy = join(base, "arrived");
      git(base, "clone", "-q", "--single-branch", "--branch", "main", `file://${path}`, copy);
      const before = indexDivergence(repositoryAt(copy), third, [second, aside]);
      expect(relations(before, [second, aside])).toEqual(["ancestor", "absent"]);
      git(copy, "fetch", "-q", "origin", "side");
      const head = commit(copy, "fourth");
      const fetched = indexDivergence(repositoryAt(copy), head, [second, aside], before);
      expect(relations(fetched, [second, aside])).toEqual(["ancestor", "not_ancestor"]);
      git(copy, "reflog", "expire", "--expire=now", "--all");
      rmSync(join(copy, ".git/FETCH_HEAD"));
      git(copy, "gc", "-q", "--prune=now");
      const later = commit(copy, "fifth");
      const pruned = indexDivergence(repositoryAt(copy), later, [second, aside, head], fetched);
      expect(relations(pruned, [second, aside, head])).toEqual(["ancestor", "absent", "ancestor"]);
    });

    it("git that does not answer the second time leaves nothing as it was known", () => {
      const { path, second, third } = laidAside("silent");
      const before = indexDivergence(repositoryAt(path), third, [second]);
      const head = commit(path, "fourth");
      const broken = repositoryAt(path, {
        PATH: pathWithGit(join(base, "silenced"), "echo 'fatal: no luck' >&2; exit 128"),
      });
      const after = indexDivergence(broken, head, [second], before);
      expect(after.of(second)).toEqual({ relation: "unknown", reason: "no luck" });
      expect(indexDivergence(repositoryAt(path), head, [second], after).of(second).relation).toBe("ancestor");
    });
  });

  it("goes on after the objects of a rewritten history were pruned", () => {
    const path = initRepository(join(base, "pruned"));
    const first = commit(path, "first");
    const second = commit(path, "second");
    const before = indexDivergence(repositoryAt(path), second, [first]);
    git(path, "commit", "-q", "--amend", "--allow-empty", "-m", "rewritten");
    git(path, "reflog", "expire", "--expire=now", "--all");
    git(path, "gc", "-q", "--prune=now");
    const head = git(path, "rev-parse", "HEAD");
    const after = indexDivergence(repositoryAt(path), head, [first, second], before);
    expect(relations(after, [first, second])).toEqual(["ancestor", "absent"]);
  });
});
