import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { touchesInSpans } from "../../../src/core/git/directory-commits.ts";
import { findRepository } from "../../../src/core/git/repository.ts";
import type { Repository } from "../../../src/core/git/repository.ts";
import { SpanGraph } from "../../../src/core/git/span-graph.ts";
import { git, newRepository } from "../../support/repository.ts";

const RULES = [".ai/repo/rules", ".ai/repo/adrs"];

function fresh(): { root: string; repository: Repository; first: string } {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, repository: opened(root), first: git(root, "rev-parse", "HEAD") };
}

function opened(root: string): Repository {
  const repository = findRepository(root, process.env);
  if (repository === undefined) throw new Error("no repository");
  return repository;
}

function write(root: string, name: string, text = name): string {
  mkdirSync(join(root, dirname(name)), { recursive: true });
  writeFileSync(join(root, name), text);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", `Write ${name}`);
  return git(root, "rev-parse", "HEAD");
}

function touches(repository: Repository, from: string, to: string): unknown {
  const answer = touchesInSpans(repository, [{ from, to }], RULES);
  if (!answer.ok) throw new Error(answer.error);
  return answer.value[0];
}

describe("commits that touch directories", () => {
  it("are listed oldest first, with the paths that are still there", () => {
    const { root, repository, first } = fresh();
    const gone = write(root, ".ai/repo/rules/gone.md");
    write(root, "src/other.ts");
    const ümlaut = write(root, ".ai/repo/adrs/ü z.md");
    git(root, "rm", "-q", ".ai/repo/rules/gone.md");
    const kept = write(root, ".ai/repo/rules/kept.md");
    const to = write(root, "src/last.ts");
    expect(touches(repository, first, to)).toEqual({
      commits: [gone, ümlaut, kept],
      paths: [".ai/repo/adrs/ü z.md", ".ai/repo/rules/kept.md"],
      unknown: false,
    });
    expect(touches(repository, gone, to)).toMatchObject({ commits: [ümlaut, kept] });
    const lone = touchesInSpans(repository, [{ from: first, to }], RULES, { isAncestor: true });
    expect(lone.ok && lone.value).toEqual([touches(repository, first, to)]);
    expect(touches(repository, kept, to)).toEqual({ commits: [], paths: [], unknown: false });
  });

  it("says the same whoever's configuration is in force, and whatever was checked out", () => {
    const { root, repository, first } = fresh();
    git(root, "config", "diff.renames", "copies");
    git(root, "config", "diff.relative", "true");
    git(root, "config", "log.diffMerges", "first-parent");
    git(root, "config", "core.quotePath", "true");
    const one = write(root, ".ai/repo/rules/one.md", "the same text in both");
    git(root, "mv", ".ai/repo/rules/one.md", ".ai/repo/rules/two.md");
    const two = write(root, "x");
    git(root, "checkout", "-q", first);
    expect(touches(repository, first, two)).toEqual({
      commits: [one, two],
      paths: [".ai/repo/rules/two.md"],
      unknown: false,
    });
  });

  it("leaves merges out, and takes what they brought in", () => {
    const { root, repository, first } = fresh();
    git(root, "checkout", "-q", "-b", "side");
    const side = write(root, ".ai/repo/rules/side.md");
    git(root, "checkout", "-q", "main");
    const main = write(root, ".ai/repo/rules/main.md");
    git(root, "merge", "-q", "--no-edit", "side");
    const merge = git(root, "rev-parse", "HEAD");
    const answer = touches(repository, first, merge) as { commits: string[] };
    expect(new Set(answer.commits)).toEqual(new Set([side, main]));
    expect(touches(repository, main, merge)).toMatchObject({
      commits: [side],
      paths: [".ai/repo/rules/side.md"],
    });
  });

  it("has none where the beginning is no ancestor, is absent, or is no commit", () => {
    const { root, repository, first } = fresh();
    git(root, "checkout", "-q", "-b", "side");
    const side = write(root, ".ai/repo/rules/side.md");
    git(root, "checkout", "-q", "main");
    const main = write(root, ".ai/repo/rules/main.md");
    const nothing = { commits: [], paths: [], unknown: false };
    expect(touches(repository, side, main)).toEqual(nothing);
    expect(touches(repository, "d".repeat(40), main)).toEqual(nothing);
    expect(touches(repository, "NONE", main)).toEqual(nothing);
    expect(touches(repository, main, main)).toEqual(nothing);
    expect(touches(repository, first, "d".repeat(40))).toEqual(nothing);
    expect(touchesInSpans(repository, [], RULES)).toEqual({ ok: true, value: [] });
  });

  it("does not guess in a shallow clone", () => {
    const { root, first } = fresh();
    write(root, ".ai/repo/rules/one.md");
    const two = write(root, ".ai/repo/rules/two.md");
    const clone = join(root, "clone");
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${root}`, clone]);
    expect(touches(opened(clone), first, two)).toEqual({ commits: [], paths: [], unknown: true });
  });

  it("answers many spans as it answers each alone", () => {
    const { root, repository, first } = fresh();
    const heads = [first];
    for (const name of ["a", ".ai/repo/rules/a.md", "b", ".ai/repo/rules/b.md", ".ai/repo/rules/a.md"]) {
      heads.push(write(root, name, `${heads.length}`));
    }
    const spans = heads.flatMap((from) => heads.map((to) => ({ from, to })));
    const together = touchesInSpans(repository, spans, RULES);
    expect(together.ok && together.value).toEqual(spans.map(({ from, to }) => touches(repository, from, to)));
  });
});

describe("a span of a graph", () => {
  /** A random history: commit n has parents among 0..n-1, and a time of its own. */
  const history = fc
    .array(fc.record({ time: fc.nat(3), parents: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }) }), {
      minLength: 2,
      maxLength: 14,
    })
    .map((entries) =>
      entries.map(({ time, parents }, index) => ({
        time,
        parents: index === 0 ? [] : [...new Set(parents.map((parent) => parent % index))],
      })),
    );

  it("is what the one reaches and the other does not, in an order of its own", () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (commits, a, b) => {
        const lines = commits.map(({ time, parents }, index) => [time, index, ...parents].join(" "));
        const graph = new SpanGraph(`${lines.toReversed().join("\n")}\n`);
        const reach = (from: number): Set<number> =>
          new Set([from, ...(commits[from]?.parents ?? []).flatMap((parent) => [...reach(parent)])]);
        const [to, from] = [a % commits.length, b % commits.length];
        const range = graph.between(String(from), String(to));
        if (!reach(to).has(from)) {
          expect(range).toBeUndefined();
          return;
        }
        const below = reach(from);
        const expected = [...reach(to)].filter((commit) => !below.has(commit));
        expect(new Set(range)).toEqual(new Set(expected.map(String)));
        for (const [place, id] of (range ?? []).entries()) {
          for (const parent of commits[Number(id)]?.parents ?? []) {
            expect((range ?? []).indexOf(String(parent))).toBeLessThan(place);
          }
        }
      }),
    );
  });
});
