import { reasonOf } from "../base/error.ts";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { failed } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { isLockTimeout } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { CapsuleDocument } from "./document.ts";
import { logError } from "./errors-log.ts";
import { readCapsule } from "./files.ts";
import { judgeCapsule } from "./judge.ts";
import { loadCapsule } from "./load.ts";
import type { LoadedCapsule } from "./load.ts";
import { capsuleLock, ensureRuntime, lockedReason } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";
import { hasStatus, replaceTokens, rewriteCapsule } from "./rewrite.ts";
import { selectCapsule } from "./select.ts";
import type { FoundCapsule, Selection } from "./select.ts";

/** What a spend did, for whoever cannot tell it to anybody: plain data, since it may have been done in another thread. */
export interface Spending {
  name: string;
  path: string;
  /** The file as the spend left it, and as it was. */
  spent: Uint8Array;
  whole: Uint8Array;
}

/** What an attempt to spend one capsule came to. */
export type SpendOutcome =
  | { state: "spent"; loaded: LoadedCapsule; spending: Spending }
  /** Somebody else was first, or it is no longer what was selected. */
  | { state: "taken" }
  /** It could not be spent, and therefore is not resumed: it would come back at the next clear. */
  | { state: "failed"; reason: string };

/**
 * Spends a selected capsule: under its lock it is read again, judged again by the selector's own rules, marked
 * `resumed`, and read back. The values are those of the bytes that were spent, so that of any number of
 * simultaneous resumes one alone gets them.
 *
 * @throws nothing: what the system refuses is a reason.
 */
export function spendCapsule(
  tree: MemoryTree,
  found: FoundCapsule,
  facts: { now: number; patience: Patience },
): SpendOutcome {
  try {
    ensureRuntime(tree);
    return withPatientLock(capsuleLock(tree, found.name), facts.patience, (lock): SpendOutcome => {
      const bytes = readCapsule(found.path);
      const document = bytes.ok ? CapsuleDocument.parse(bytes.value) : undefined;
      const verdict = judgeCapsule(document, facts.now);
      if (!bytes.ok || document === undefined || !verdict.valid) return { state: "taken" };
      const claimed: FoundCapsule = { ...found, ...verdict.candidate };
      const spent = replaceTokens(bytes.value, [{ key: "status", token: "resumed" }]);
      if (!spent.ok) return { state: "failed", reason: spent.error };
      const written = attempt(() => rewriteCapsule(found.path, bytes.value, spent.value, lock));
      // What counts is what stands there: a write may fail after it took effect, and report success before.
      if (hasStatus(found.path, "resumed"))
        return {
          state: "spent",
          loaded: loadCapsule(claimed, document),
          spending: { name: found.name, path: found.path, spent: spent.value, whole: bytes.value },
        };
      return { state: "failed", reason: written.ok ? "was not spent when it was read back" : written.error };
    });
  } catch (error) {
    return { state: "failed", reason: refusalOf(tree, error) };
  }
}

/**
 * Gives a capsule back whose procedure did not arrive, if it still is as the spend left it, and notes in the error log
 * what came of it.
 *
 * @returns the same in one clause.
 */
export function giveBackUnheard(
  tree: MemoryTree,
  { clock, patience }: { clock: Clock; patience: Patience },
  spending: Spending,
): string {
  const against = restore(tree, spending, patience);
  const outcome = against === undefined ? "was given back" : `stays spent: ${quoteValue(against, 240)}`;
  const said = `${quoteValue(spending.name, 120)} ${outcome}: what was said of it did not arrive`;
  logError(tree, clock, "resume-verb", said);
  return said;
}

function refusalOf(tree: MemoryTree, error: unknown): string {
  return isLockTimeout(error) ? lockedReason(tree, error) : reasonOf(error);
}

function restore(
  tree: MemoryTree,
  { name, path, spent, whole }: Spending,
  patience: Patience,
): string | undefined {
  try {
    return withPatientLock(capsuleLock(tree, name), patience, (lock) => {
      const restored = rewriteCapsule(path, Buffer.from(spent), Buffer.from(whole), lock);
      return restored.ok ? undefined : restored.error;
    });
  } catch (error) {
    return refusalOf(tree, error);
  }
}

function attempt(action: () => Result<undefined, string>): Result<undefined, string> {
  try {
    return action();
  } catch (error) {
    return failed(reasonOf(error));
  }
}

/** A selection whose capsule, if it has one, was spent for us. */
export interface Claimed {
  selection: Selection;
  loaded: LoadedCapsule | undefined;
  /** Why the selected capsule was not loaded: its spend failed, and the next clear will find it again. */
  notSpent?: { name: string; reason: string };
  /** Of a capsule that was loaded: whoever cannot tell it to anybody gives it back. */
  spending?: Spending;
}

/** Every loss means that another resume won, so the end comes by itself; this only bounds a hostile directory. */
const MOST_ATTEMPTS = 64;

/** Selects and spends: of two simultaneous resumes, the one that comes second selects again. */
export function claimNewest(tree: MemoryTree, facts: { now: number; patience: Patience }): Claimed {
  let selection = selectCapsule(tree.memory.root, facts.now);
  for (let tries = 0; selection.capsule !== undefined && tries < MOST_ATTEMPTS; tries += 1) {
    const { capsule } = selection;
    const outcome = spendCapsule(tree, capsule, facts);
    if (outcome.state === "spent") return { selection, loaded: outcome.loaded, spending: outcome.spending };
    if (outcome.state === "failed") {
      return { selection, loaded: undefined, notSpent: { name: capsule.name, reason: outcome.reason } };
    }
    selection = selectCapsule(tree.memory.root, facts.now);
  }
  return { selection, loaded: undefined };
}
