import { EXIT, MajordomusError } from "../base/error.ts";
import type { Patience } from "../base/patience.ts";
import type { NamedCapsule } from "./find.ts";
import { findCapsule } from "./find.ts";
import { judgeCapsule } from "./judge.ts";
import type { Verdict } from "./judge.ts";
import { loadCapsule } from "./load.ts";
import type { LoadedCapsule } from "./load.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { CapsuleDocument } from "./document.ts";
import { replaceTokens } from "./rewrite.ts";
import { inOrder, selectAndRead, selectCapsule } from "./select.ts";
import type { Selection } from "./select.ts";
import { claimNewest, spendCapsule } from "./spend.ts";
import type { Claimed } from "./spend.ts";

/** A resume that a person asks for, in the middle of a session. */
export interface ResumeAsked extends Claimed {
  spent: boolean;
  /** Of a named capsule that is not active. */
  status?: string;
}

/** Judges a capsule as if it were active: a person may read one again that was spent. */
function judgeWhateverStatus({ bytes, document }: NamedCapsule, now: number): Verdict {
  const active = replaceTokens(bytes, [{ key: "status", token: "active" }]);
  return judgeCapsule(active.ok ? CapsuleDocument.parse(active.value) : document, now);
}

function refused(name: string, message: string): MajordomusError {
  return new MajordomusError({ code: "capsule.refused", exit: EXIT.refused, subject: name, message });
}

/** Reads the newest capsule, or one that is named, and spends it when that is asked for. */
export function resumeAsked(
  tree: MemoryTree,
  wanted: string | undefined,
  spend: boolean,
  facts: { now: number; patience: Patience },
): ResumeAsked {
  if (wanted !== undefined) return resumeNamed(tree, wanted, spend, facts);
  if (spend) {
    const claimed = claimNewest(tree, facts);
    return { ...claimed, spent: claimed.loaded !== undefined };
  }
  const { document, ...selection } = selectAndRead(tree.memory.root, facts.now);
  const loaded =
    selection.capsule === undefined || document === undefined
      ? undefined
      : loadCapsule(selection.capsule, document);
  return { selection, loaded, spent: false };
}

/** The ledger beside a named capsule: the one that a clear would take was not asked for, and is in it too. */
function beside(selection: Selection, name: string): Selection {
  const { capsule, rejected } = selection;
  const others = rejected.filter((rejection) => rejection.name !== name);
  if (capsule === undefined || capsule.name === name) return { ...selection, rejected: others };
  const passed = { name: capsule.name, reason: "not-named" as const, detail: "a clear would resume it" };
  return { ...selection, rejected: inOrder([...others, passed]) };
}

/**
 * @throws MajordomusError 12 and 10 as `findCapsule`; 15 for one whose values could not be resumed, or that is to be
 *   spent and is not active any more.
 */
function resumeNamed(
  tree: MemoryTree,
  wanted: string,
  spend: boolean,
  facts: { now: number; patience: Patience },
): ResumeAsked {
  const named = findCapsule(tree, wanted);
  const { name, path, document } = named;
  const verdict = judgeWhateverStatus(named, facts.now);
  if (!verdict.valid) {
    const detail = verdict.detail === undefined ? "" : ` (${verdict.detail})`;
    throw refused(name, `cannot be resumed: ${verdict.reason}${detail}`);
  }
  const found = { ...verdict.candidate, name, path };
  const status = document.text("status");
  const shown = beside(selectCapsule(tree.memory.root, facts.now), name);
  if (!spend) {
    const loaded: LoadedCapsule = loadCapsule(found, document);
    return { selection: shown, loaded, spent: false, ...(status === "active" ? {} : { status }) };
  }
  const outcome = spendCapsule(tree, found, facts);
  if (outcome.state === "spent") {
    return { selection: shown, loaded: outcome.loaded, spent: true, spending: outcome.spending };
  }
  if (outcome.state === "taken") {
    const why = status === "active" ? "was spent or changed meanwhile" : `is not active any more (${status})`;
    throw refused(name, `${why}; it cannot be spent again`);
  }
  return { selection: shown, loaded: undefined, spent: false, notSpent: { name, reason: outcome.reason } };
}
