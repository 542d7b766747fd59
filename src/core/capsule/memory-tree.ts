import { join, relative } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { sha256Hex } from "../base/id.ts";
import type { Surroundings } from "../checkout/checkout.ts";
import type { LockTimeout } from "../fs/lock.ts";
import { statEntry } from "../fs/read.ts";
import { makeDirectory } from "../fs/write.ts";
import { lastResortLog } from "../journal/last-resort.ts";
import { capsulesDirectory } from "./files.ts";
import { installBaseOf } from "./install-root.ts";
import { resolveMemoryRoot } from "./memory-root.ts";
import type { MemoryRoot } from "./memory-root.ts";

/** Everything of one memory root by its place; absolute paths. */
export interface MemoryTree {
  /** The install root that paths are told relative to. */
  base: string;
  memory: MemoryRoot;
  /** A test's lever diverts this tree from the real one; said in what is printed. */
  diverted: boolean;
  capsules: string;
  runtime: string;
  locks: string;
  /** The autosave writer's cursors. */
  writers: string;
  receipt: string;
  /** Prompts, when the switch is on. */
  journal: string;
  errors: string;
  /** The user's own log, for what the tree's cannot take; undefined where there is no home. */
  lastResort: string | undefined;
  bodyState: string;
  sessionLog: string;
  heatIndex: string;
}

/** The places below a resolved memory root. */
export function treeOf(
  base: string,
  memory: MemoryRoot,
  { diverted = false, lastResort }: { diverted?: boolean; lastResort?: string | undefined } = {},
): MemoryTree {
  const { root } = memory;
  const runtime = join(root, "runtime");
  return {
    base,
    memory,
    diverted,
    capsules: capsulesDirectory(root),
    runtime,
    locks: join(runtime, "locks"),
    writers: join(runtime, "stop-writer"),
    receipt: join(runtime, "boot-receipt.json"),
    journal: join(runtime, "utterance-journal.jsonl"),
    errors: join(root, ".daemon-errors.log"),
    lastResort,
    bodyState: join(root, "BODY_STATE.json"),
    sessionLog: join(root, "SESSION_LOG.md"),
    heatIndex: join(root, "HEAT_INDEX.json"),
  };
}

/**
 * The memory tree of a work tree.
 *
 * @throws MemoryRootError when there is no telling where it lies.
 */
export function openMemory(place: Pick<Surroundings, "environment"> & { root: string }): MemoryTree {
  const { base, diverted } = installBaseOf(place.environment, place.root);
  const lastResort = lastResortLog(place.environment);
  return treeOf(base, resolveMemoryRoot(base), { diverted, lastResort });
}

/** Whether anything of memory is there, or is declared to be made on first use. */
export function isInUse({ memory }: MemoryTree): boolean {
  return memory.exists || memory.source === "configured";
}

/**
 * Makes a directory of the tree, private where it is ours alone.
 *
 * @throws MajordomusError 15 when a link stands in its place: nothing of ours is written through one.
 */
export function ensureDirectory(path: string, mode?: number): void {
  const entry = statEntry(path);
  if (entry?.isSymbolicLink() === true) {
    throw new MajordomusError({
      code: "memory.link",
      exit: EXIT.refused,
      subject: path,
      message: "is a symbolic link, and nothing is written through one",
    });
  }
  if (entry === undefined) makeDirectory(path, mode);
}

/** Makes the directories that runtime state lies in; private, since prompts and session ids pass through them. */
export function ensureRuntime(tree: MemoryTree): void {
  ensureDirectory(tree.runtime, 0o700);
  ensureDirectory(tree.locks, 0o700);
}

/**
 * Why a lock of the tree was not to be had. One of which nothing can be told may never be given back: it is named, with
 * what a person can do.
 */
export function lockedReason(tree: MemoryTree, { path, holder, unknown }: LockTimeout): string {
  if (!unknown) return "stays locked by a writer that is still at work";
  const named = holder === undefined ? "" : ` (pid ${holder.pid})`;
  return `stays locked by an unknown holder${named}: ${relative(tree.base, path)}; \`majordomus recover orphans\` can remove it`;
}

/** The lock of one capsule, which the spend and every writer take. Names may be too long for a lock's own. */
export function capsuleLock(tree: MemoryTree, name: string): string {
  return join(tree.locks, `capsule-${sha256Hex(name).slice(0, 32)}`);
}
