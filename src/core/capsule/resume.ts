import { readExtension, renderAck } from "./extension.ts";
import { installBaseOf } from "./install-root.ts";
import type { LoadedCapsule } from "./load.ts";
import type { MemoryTree } from "./memory-tree.ts";
import type { ResumeFacts } from "./procedure.ts";
import { readReceiptSession, shownReceiptPath } from "./receipt.ts";
import type { Rejection, UnavailableReason } from "./reasons.ts";
import { identifyBoot } from "./session-identity.ts";

/** What a resume came to, before it is put into words. */
export interface ResumeOutcome {
  now: number;
  occasion: ResumeFacts["occasion"];
  /** The sessions that were cleared for it, by their raw ids, where that is known. */
  cleared?: readonly string[];
  loaded: LoadedCapsule | undefined;
  spent: boolean;
  rejected: readonly Rejection[];
  unavailable?: UnavailableReason;
  notSpent?: { name: string; reason: string };
  /** The status of a capsule that was named and is not active. */
  status?: string;
  /** The payload's session id, whatever it is. */
  session: unknown;
}

/**
 * Completes what a resume is told from: the install's declaration, the session's authority, the faults of memory.
 *
 * @param memory the tree, or the `MEMORY-ROOT:` line that says why there is none.
 */
export function completeResume(
  place: { environment: Readonly<Record<string, string | undefined>>; root: string },
  memory: { tree: MemoryTree } | { fault: string },
  outcome: ResumeOutcome,
): ResumeFacts {
  const { session, ...told } = outcome;
  const tree = "tree" in memory ? memory.tree : undefined;
  const { base, diverted } = installBaseOf(place.environment, place.root);
  const extension = readExtension(base);
  const acknowledgement = renderAck("resume_ack", extension, outcome.loaded?.id);
  return {
    ...told,
    bootSession: identifyBoot(session, tree === undefined ? undefined : readReceiptSession(tree)),
    receiptPath: tree === undefined ? "" : shownReceiptPath(tree),
    extension,
    acknowledgement: { ...acknowledgement, warning: extension.warning ?? acknowledgement.warning },
    ...("fault" in memory ? { memoryRootError: memory.fault } : {}),
    ...(diverted ? { divertedTo: base } : {}),
  };
}
