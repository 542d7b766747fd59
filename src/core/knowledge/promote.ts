import { dirname } from "node:path";
import { EXIT } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { stampOf } from "../fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { KnowledgeClass } from "../records/knowledge.ts";
import { rewriteKnowledge } from "../records/knowledge-rewrite.ts";
import { knowledgePath, refuseLinkedShelf, signaturePath } from "../records/knowledge-store.ts";
import type { KnowledgeFile } from "../records/knowledge-store.ts";
import type { PromoteAnswer, PromoteInput } from "./answers.ts";
import {
  alreadySays,
  findOnShelf,
  knowledgeError,
  refuseFaulty,
  refuseSettled,
  withKnowledge,
} from "./candidate.ts";
import { judgedText } from "./judged-text.ts";
import { ledgerSays } from "./ledger-says.ts";
import { signRecord, verifyRecord } from "./signature.ts";
import { digestOf } from "./view.ts";

/** The record as a verified one, with what it was verified by (records.md 12.5). */
function composeVerified(
  checkout: Checkout,
  candidate: KnowledgeFile,
  input: PromoteInput,
  session: string | undefined,
  evidence: string,
): string {
  const kind = admitClass(input.class);
  const rewritten = rewriteKnowledge(candidate.text, {
    status: "verified",
    date: formatTimestamp(checkout.clock.now()).slice(0, 10),
    ...(kind === undefined ? {} : { class: kind }),
    ...(session === undefined ? {} : { derivedFrom: `session:${session}` }),
    section: { name: "Evidence", text: evidence },
  });
  if (rewritten.ok) return rewritten.value;
  throw knowledgeError("rewrite", EXIT.finding, shownPath(checkout.root, candidate.path), rewritten.error);
}

function admitClass(text: string | undefined): KnowledgeClass | undefined {
  if (text === undefined) return undefined;
  const known = KnowledgeClass.safeParse(text);
  if (known.success) return known.data;
  const choices = KnowledgeClass.options.join(", ");
  throw knowledgeError("class", EXIT.finding, text, `is none of the classes ${choices}`);
}

/** The candidate that is to be promoted, and nothing less. */
function admit(checkout: Checkout, id: string, candidate: KnowledgeFile | undefined): KnowledgeFile {
  if (candidate === undefined) throw knowledgeError("absent", EXIT.missing, id, "no such candidate here");
  refuseSettled(id, candidate);
  refuseFaulty(checkout, candidate);
  return candidate;
}

/** What remains once the verified record lies on the disk; each step looks whether it was done. */
function finish(
  checkout: Checkout,
  input: PromoteInput,
  session: string | undefined,
): Pick<PromoteAnswer, "id" | "path" | "signature" | "notes"> {
  const { id } = input;
  const path = knowledgePath(checkout, "curated", id);
  const notes: string[] = [];
  if (input.sign === true) {
    const { state } = verifyRecord(checkout, path);
    if (state === "none") signRecord(checkout, path);
    else
      notes.push(
        state === "valid" ? "is signed already" : "has a signature that is not of this file; it stands",
      );
  }
  removeFile(knowledgePath(checkout, "candidates", id));
  const shown = shownPath(checkout.root, path);
  if (!ledgerSays(checkout, "knowledge.promoted", id)) {
    recordEvent(checkout, "knowledge.promoted", { id, path: shown }, { session });
  }
  const signature = signaturePath(path);
  return {
    id,
    path: shown,
    ...(stampOf(signature) === undefined ? {} : { signature: shownPath(checkout.root, signature) }),
    notes,
  };
}

/**
 * Makes a candidate verified: a person's act, with what it was verified by. The verified record is whole on
 * the disk before the candidate goes; one that was killed in between is brought to its end by the next.
 *
 * @param session the asking process's own episode, which becomes one of the record's sources
 * @throws MajordomusError 12 without such a candidate; 10 when it is not one any more, is faulty, or the
 *   evidence is empty or of the shape of a conversation; 15 for a directory that a link leads elsewhere.
 */
export function promoteCandidate(
  checkout: Checkout,
  input: PromoteInput,
  session: string | undefined,
): PromoteAnswer {
  const { id } = input;
  const evidence = judgedText(input.evidence, "evidence", EXIT.finding);
  return withKnowledge(checkout, (): PromoteAnswer => {
    const candidate = findOnShelf(checkout, "candidates", id);
    const standing = findOnShelf(checkout, "curated", id);
    const path = knowledgePath(checkout, "curated", id);
    const shown = shownPath(checkout.root, path);
    if (candidate !== undefined && input.expect !== undefined && input.expect !== digestOf(candidate)) {
      return { schema: 1, state: "changed", id, path: shownPath(checkout.root, candidate.path), notes: [] };
    }
    if (standing !== undefined && (candidate !== undefined || alreadySays(standing, "Evidence", evidence))) {
      refuseFaulty(checkout, standing);
      const notes = ["was promoted before; its evidence stands"];
      if (input.dry_run === true) return { schema: 1, state: "kept", id, path: shown, notes };
      const done = finish(checkout, input, session);
      return { schema: 1, state: "kept", ...done, notes: [...notes, ...done.notes] };
    }
    const text = composeVerified(checkout, admit(checkout, id, candidate), input, session, evidence);
    if (input.dry_run === true) return { schema: 1, state: "planned", id, path: shown, text, notes: [] };
    makeDirectory(dirname(path));
    refuseLinkedShelf(dirname(path));
    writeAtomic(path, text, { durable: true });
    return { schema: 1, state: "promoted", ...finish(checkout, input, session) };
  });
}
