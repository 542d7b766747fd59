import { dirname } from "node:path";
import { EXIT } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { writeAtomic } from "../fs/write.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { rewriteKnowledge } from "../records/knowledge-rewrite.ts";
import { refuseLinkedShelf } from "../records/knowledge-store.ts";
import type { KnowledgeFile } from "../records/knowledge-store.ts";
import { authoredLine } from "../text/authored.ts";
import type { RejectAnswer, RejectInput } from "./answers.ts";
import { alreadySays, findOnShelf, knowledgeError, refuseSettled, withKnowledge } from "./candidate.ts";
import { judgedText } from "./judged-text.ts";
import { ledgerSays } from "./ledger-says.ts";
import { digestOf } from "./view.ts";

/** The record that says it better must be there, and be another one. */
function refuseUnknownSuccessor(checkout: Checkout, id: string, by: string): void {
  const known =
    by !== id && (findOnShelf(checkout, "curated", by) ?? findOnShelf(checkout, "candidates", by));
  if (known === false) throw knowledgeError("successor", EXIT.finding, by, "cannot take its own place");
  if (known === undefined)
    throw knowledgeError("successor", EXIT.finding, by, "names no record of the store");
}

function composeRejected(
  checkout: Checkout,
  candidate: KnowledgeFile,
  reason: string,
  by: string | undefined,
): string {
  const rewritten = rewriteKnowledge(candidate.text, {
    status: "superseded",
    ...(by === undefined ? {} : { superseded_by: by }),
    section: { name: "Rejected", text: reason },
  });
  if (rewritten.ok) return rewritten.value;
  throw knowledgeError("rewrite", EXIT.finding, shownPath(checkout.root, candidate.path), rewritten.error);
}

/**
 * Says that a candidate is not so, in the candidate itself: the deriver never revives it.
 *
 * @param session the asking process's own episode
 * @throws MajordomusError 2 without a reason, 12 without such a candidate, 10 when it is not one any more, when
 *   the record that is to take its place is not there, or for a reason of the shape of a conversation.
 */
export function rejectCandidate(
  checkout: Checkout,
  input: RejectInput,
  session: string | undefined,
): RejectAnswer {
  const { id, by } = input;
  const reason = judgedText(input.reason, "reason", EXIT.usage);
  return withKnowledge(checkout, (): RejectAnswer => {
    const candidate = findOnShelf(checkout, "candidates", id);
    if (candidate === undefined) throw knowledgeError("absent", EXIT.missing, id, "no such candidate here");
    const path = shownPath(checkout.root, candidate.path);
    const announce = (): void => {
      // `by` would be the original's word, but it is the envelope's: who wrote the line (records.md 4).
      const successor = by === undefined ? {} : { superseded_by: by };
      const payload = { id, reason: authoredLine(reason), ...successor };
      recordEvent(checkout, "knowledge.rejected", payload, { session });
    };
    const { status } = candidate.record;
    const again = status === "superseded" && alreadySays(candidate, "Rejected", reason);
    if (again && !ledgerSays(checkout, "knowledge.rejected", id)) {
      // This very rejection was killed before its ledger line.
      if (input.dry_run !== true) announce();
      return { schema: 1, state: "kept", id, path };
    }
    refuseSettled(id, candidate);
    if (input.expect !== undefined && input.expect !== digestOf(candidate)) {
      return { schema: 1, state: "changed", id, path };
    }
    if (by !== undefined) refuseUnknownSuccessor(checkout, id, by);
    const text = composeRejected(checkout, candidate, reason, by);
    if (input.dry_run === true) return { schema: 1, state: "planned", id, path, text };
    refuseLinkedShelf(dirname(candidate.path));
    writeAtomic(candidate.path, text, { durable: true });
    announce();
    return { schema: 1, state: "rejected", id, path };
  });
}
