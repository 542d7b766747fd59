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
import { readCapsule } from "./files.ts";
import { replaceTokens } from "./rewrite.ts";
import { selectCapsule } from "./select.ts";
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
  const selection = selectCapsule(tree.memory.root, facts.now);
  const bytes = selection.capsule === undefined ? undefined : readCapsule(selection.capsule.path);
  const document = bytes?.ok === true ? CapsuleDocument.parse(bytes.value) : undefined;
  const loaded =
    selection.capsule === undefined || document === undefined
      ? undefined
      : loadCapsule(selection.capsule, document);
  return { selection, loaded, spent: false };
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
  const selection = selectCapsule(tree.memory.root, facts.now);
  const shown = { ...selection, rejected: selection.rejected.filter((rejection) => rejection.name !== name) };
  if (!spend) {
    const loaded: LoadedCapsule = loadCapsule(found, document);
    return { selection: shown, loaded, spent: false, ...(status === "active" ? {} : { status }) };
  }
  const outcome = spendCapsule(tree, found, facts);
  if (outcome.state === "spent") return { selection: shown, loaded: outcome.loaded, spent: true };
  if (outcome.state === "taken")
    throw refused(name, `is not active any more (${status}); it cannot be spent again`);
  return { selection: shown, loaded: undefined, spent: false, notSpent: { name, reason: outcome.reason } };
}
