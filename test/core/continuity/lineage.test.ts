import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lineage } from "../../../src/core/continuity/lineage.ts";
import type { Link } from "../../../src/core/continuity/lineage.ts";
import { resumable } from "../../../src/core/continuity/offers.ts";
import { declaredIdentity, rootsIdentity } from "../../../src/core/continuity/repository-identity.ts";
import { lineRelation } from "../../../src/core/continuity/sync.ts";

const GOLDEN = join(import.meta.dirname, "../../fixtures/golden");

/** A forest written as `child<parent`, roots alone. */
function forest(text: string): Map<string, Link> {
  const links = new Map<string, Link>();
  for (const word of text.split(" ").filter(Boolean)) {
    const [id = "", parent] = word.split("<");
    const line = parent === undefined ? id : (links.get(parent)?.line ?? "a");
    links.set(id, { id, line, ...(parent === undefined ? {} : { parent }) });
  }
  return links;
}

describe("lineage", () => {
  const records = forest("a b<a c<b d<b x y<x");
  const lineage = new Lineage(records);
  const relation = (one: string, other: string) =>
    lineage.relation(records.get(one) as Link, records.get(other) as Link);

  it("knows heads, lines and chains", () => {
    expect(lineage.heads("a")).toEqual(["c", "d"]);
    expect(lineage.heads("x")).toEqual(["y"]);
    expect([...lineage.lines()]).toEqual([
      ["a", 4],
      ["x", 2],
    ]);
    expect([...lineage.chain("c")]).toEqual(["c", "b", "a"]);
    expect([...lineage.ancestry(["c", "d"])].toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  it.each([
    ["a", "a", "equal"],
    ["a", "c", "newer"],
    ["c", "a", "older"],
    ["c", "d", "diverged"],
    ["a", "y", "independent"],
  ] as const)("to %s %s is %s", (one, other, expected) => {
    expect(relation(one, other)).toBe(expected);
  });

  it("says what is not as it should be", () => {
    const odd = forest("a b<a c<b");
    odd.set("d", { id: "d", line: "a", parent: "missing" });
    odd.set("e", { id: "e", line: "other", parent: "b" });
    const codes = new Lineage(odd).findings().map(({ severity, code, subject }) => [severity, code, subject]);
    expect(codes).toEqual([
      ["warning", "continuity.dangling_parent", "d"],
      ["error", "continuity.broken_lineage", "e"],
      ["warning", "continuity.diverged", "a"],
    ]);
  });

  it("names twenty of a kind and counts the rest", () => {
    const many = new Map(
      Array.from({ length: 50 }, (_, index) => {
        const id = `r${index}`;
        return [id, { id, line: "a", parent: `gone${index}` }] as const;
      }),
    );
    const dangling = new Lineage(many).findings().filter(({ code }) => code === "continuity.dangling_parent");
    expect(dangling).toHaveLength(21);
    expect(dangling.at(-1)?.message).toBe("and 30 more");
  });

  it("does not depend on the order in which records came", () => {
    const shape = fc
      .array(fc.nat(), { minLength: 1, maxLength: 12 })
      .map((numbers) =>
        numbers.map((number, index) => (index === 0 ? "r0" : `r${index}<r${number % index}`)).join(" "),
      );
    fc.assert(
      fc.property(shape, fc.infiniteStream(fc.nat()), (text, numbers) => {
        const links = [...forest(text).values()];
        const shuffled = links
          .map((link) => ({ link, key: numbers.next().value as number }))
          .toSorted((one, other) => one.key - other.key)
          .map(({ link }) => [link.id, link] as const);
        const [straight, mixed] = [new Lineage(forest(text)), new Lineage(new Map(shuffled))];
        expect(mixed.heads("r0")).toEqual(straight.heads("r0"));
        expect(mixed.findings()).toEqual(straight.findings());
        for (const one of links) {
          for (const other of links) expect(mixed.relation(one, other)).toBe(straight.relation(one, other));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("what a line was to both sides", () => {
  const side = (text: string) => {
    const records = forest(text);
    return { lineage: new Lineage(records), has: (id: string) => records.has(id) };
  };

  it.each([
    ["a", "", "local_only"],
    ["", "a", "remote_only"],
    ["a b<a", "a b<a", "equal"],
    ["a", "a b<a", "remote_newer"],
    ["a b<a", "a", "local_newer"],
    ["a b<a", "a c<a", "diverged"],
    ["a b<a", "a b<a c<a", "remote_newer"],
    ["a b<a c<a", "a b<a", "local_newer"],
  ] as const)("%j and %j: %s", (local, remote, expected) => {
    expect(lineRelation("a", side(local), side(remote))).toBe(expected);
  });
});

describe("offers", () => {
  const summary = (link: Link, node: string, publishedAt: string) => ({
    ...link,
    node,
    publishedAt,
    blob: "",
    publicKey: "",
    label: node,
    workingTree: "clean" as const,
    changedTotal: 0,
    handoverId: "",
  });
  const links = forest("a b<a c<a d<c x");
  const records = new Map(
    [
      ["a", "mini", "2026-01-01T00:00:00Z"],
      ["b", "mini", "2026-01-02T00:00:00Z"],
      ["c", "book", "2026-01-03T00:00:00Z"],
      ["d", "mini", "2026-01-03T00:00:00Z"],
      ["x", "mini", "2026-01-03T00:00:00Z"],
    ].map(([id = "", node = "", at = ""]) => [id, summary(links.get(id) as Link, node, at)] as const),
  );
  const ids = (positions: string[], ownNode = "book", hidden: string[] = []): string[] =>
    resumable({ records }, positions, { ownNode, hidden: new Set(hidden) }).map(({ id }) => id);

  it("are heads of others, the latest first, that no position has gone past", () => {
    expect(ids([])).toEqual(["d", "x", "b"]);
    expect(ids(["d"])).toEqual(["x", "b"]);
    expect(ids(["d", "b", "x"])).toEqual([]);
    expect(ids(["a"])).toEqual(["d", "x", "b"]);
    expect(ids([], "mini")).toEqual([]);
    expect(ids([], "book", ["x", "d"])).toEqual(["b"]);
  });
});

describe("the identity of a repository", () => {
  const cases = JSON.parse(readFileSync(join(GOLDEN, "repository-ids.json"), "utf8")) as {
    roots?: string[];
    declared?: string;
    repository: string;
  }[];

  it.each(cases)("$repository", ({ roots, declared, repository }) => {
    expect(declared === undefined ? rootsIdentity(roots ?? []) : declaredIdentity(declared)).toBe(repository);
    if (declared !== undefined) expect(declaredIdentity(`  ${declared}\n`)).toBe(repository);
    if (roots !== undefined) expect(rootsIdentity([...roots, ...roots].toReversed())).toBe(repository);
  });
});
