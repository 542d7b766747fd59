import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveMemoryRoot } from "../../../../src/core/capsule/memory-root.ts";
import { treeOf } from "../../../../src/core/capsule/memory-tree.ts";
import type { MemoryTree } from "../../../../src/core/capsule/memory-tree.ts";
import { selectCapsule } from "../../../../src/core/capsule/select.ts";
import type { Selection } from "../../../../src/core/capsule/select.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

/** The instant of these tests. */
export const NOW: number = Date.parse("2026-11-30T12:00:00Z");

/** An ISO stamp so many hours before the instant of these tests. */
export function hoursAgo(hours: number): string {
  return new Date(NOW - hours * 3_600_000).toISOString();
}

/** A memory tree of this test's own, with its capsules directory. */
export function newTree(): MemoryTree {
  const base = scratchDirectory();
  mkdirSync(join(base, "vault/memory/capsules"), { recursive: true });
  return treeOf(base, resolveMemoryRoot(base));
}

/** A curated capsule's text; a field set to undefined is left out. */
export function capsuleText(
  fields: Readonly<Record<string, string | undefined>> = {},
  body = "\nBody.\n",
): string {
  const all: Record<string, string | undefined> = {
    id: '"one"',
    status: "active",
    objective: '"Move the parser to streaming reads"',
    waiting_on: '"the build on the release branch"',
    next_valid_action: '"Run the suite again"',
    created_at: hoursAgo(3),
    ...fields,
  };
  const head = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${value}`);
  return ["---", ...head, "---", body].join("\n");
}

export function put(tree: MemoryTree, name: string, content: string | Buffer): string {
  const path = join(tree.capsules, name);
  writeFileSync(path, content);
  return path;
}

export function textOf(tree: MemoryTree, name: string): string {
  return readFileSync(join(tree.capsules, name), "utf8");
}

export function select(tree: MemoryTree): Selection {
  return selectCapsule(tree.memory.root, NOW);
}

/** The reason of the only file of a tree that is not selected. */
export function reasonOfOnly(tree: MemoryTree): { reason: string; detail?: string } | "selected" {
  const { capsule, rejected } = select(tree);
  if (capsule !== undefined && rejected.length === 0) return "selected";
  const [only, ...others] = rejected;
  if (capsule !== undefined || only === undefined || others.length > 0) throw new Error("not one file");
  const { name: _, ...told } = only;
  return told;
}
