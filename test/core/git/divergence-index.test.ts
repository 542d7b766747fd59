import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { indexDivergence } from "../../../src/core/git/divergence-index.ts";
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
function importGraph(path: string, parents: readonly (readonly number[])[]): string[] {
  initRepository(path);
  const stream = parents.map((of, index) => {
    const [first, ...others] = of.map((parent) => `:${parent + 1}`);
    const lines = [
      // A commit without parents would go on from its branch: it gets one of its own.
      `commit refs/import/${first === undefined ? index : "line"}`,
      `mark :${index + 1}`,
      `committer A <a@b> ${1_700_000_000 + index} +0000`,
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
    let count = 0;
    fc.assert(
      fc.property(graph, fc.nat(), (parents, choice) => {
        count += 1;
        const path = join(base, `graph-${count}`);
        const ids = importGraph(path, parents);
        const head = ids[choice % ids.length] as string;
        const index = indexDivergence(repositoryAt(path), head, ids);
        for (const id of ids) {
          const { status } = spawnSync("git", ["merge-base", "--is-ancestor", id, head], { cwd: path });
          const expected = id === head ? "exact" : status === 0 ? "ancestor" : "not_ancestor";
          expect(index.of(id).relation).toBe(expected);
        }
      }),
      { numRuns: 10 },
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
      expect(counting.calls()).toEqual(["cat-file", "rev-list"]);
      // The side line, the absent ones, the new commit and the old HEAD.
      expect(after.commitsAsked).toBe(900 + 100 + 1 + 1);
      expect(after.of(older).relation).toBe("ancestor");
      expect(relations(after, recorded)).toEqual(
        relations(indexDivergence(repository, newer, recorded), recorded),
      );
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
