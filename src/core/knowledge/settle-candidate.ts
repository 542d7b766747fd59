import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { readRegularFile, stampOf } from "../fs/read.ts";
import { createExclusive, makeDirectory } from "../fs/write.ts";
import type { Replacement } from "../fs/write-many.ts";
import { formatContextDocument } from "../records/context-document.ts";
import { formatCandidate, parseKnowledge } from "../records/knowledge.ts";
import { refuseLinkedShelf, shelfDirectory } from "../records/knowledge-store.ts";
import { RECORD_MAXIMUM_BYTES } from "../records/record-file.ts";
import type { PlannedCandidate } from "./plan-candidates.ts";

/** What became of one candidate. `why` stands beside `skipped`. */
export interface Settled {
  state: "written" | "unchanged" | "skipped";
  /** Relative to the work tree. */
  path: string;
  why?: "transcript" | "timestamp" | "id" | "promoted" | "superseded" | "unreadable" | "too-large";
}

/**
 * Makes the directory of candidates, with the document that says what it is, when the first one comes.
 *
 * @throws MajordomusError 15 where a link leads it elsewhere, 13 where a file is in its way.
 */
export function prepareCandidates(checkout: Pick<Checkout, "layout" | "settings" | "root">): void {
  const directory = shelfDirectory(checkout, "candidates");
  const isNew = stampOf(directory) === undefined;
  makeDirectory(directory);
  if (isNew) {
    const id = shownPath(checkout.root, directory).replaceAll("/", ".").replace(/^\./, "");
    const text = formatContextDocument({
      id,
      title: "Knowledge candidates",
      description: "Derived from the ledger, waiting to be promoted or rejected.",
    });
    createExclusive(join(directory, "README.md"), text, { durable: true });
  }
  refuseLinkedShelf(directory);
}

/** What stands in a candidate's place: nothing, the same bytes, or a reason to leave it alone. */
function judgeStanding(
  path: string,
  text: string,
  incomplete: boolean,
): "write" | "unchanged" | Settled["why"] {
  const standing = readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (!standing.ok) return standing.error.kind === "absent" ? "write" : "unreadable";
  if (standing.value.equals(Buffer.from(text))) return "unchanged";
  // What a power cut left of a file: no hand ever made that.
  if (standing.value.every((byte) => byte === 0)) return "write";
  const record = parseKnowledge(standing.value.toString("utf8"));
  // A file whose status cannot be read may be one that a person rejected: nothing is revived by a guess.
  if (!record.ok) return "unreadable";
  if (record.value.status !== "candidate") return "superseded";
  return incomplete ? "unchanged" : "write";
}

/**
 * Decides what becomes of one candidate: it is to be written only where its bytes differ, and never over what a
 * person decided. The caller holds the store's lock.
 *
 * @param write told of a file that is to be written
 */
export function settleCandidate(
  checkout: Pick<Checkout, "layout" | "settings" | "root">,
  planned: PlannedCandidate,
  write: (file: Replacement) => void,
): Settled {
  const { draft } = planned;
  const candidates = shelfDirectory(checkout, "candidates");
  const path = `${shownPath(checkout.root, candidates)}/${draft.id}.md`;
  if (planned.unfit !== undefined) return { state: "skipped", path, why: planned.unfit };
  const curated = join(shelfDirectory(checkout, "curated"), `${draft.id}.md`);
  if (stampOf(curated) !== undefined) return { state: "skipped", path, why: "promoted" };
  const text = formatCandidate(draft);
  if (Buffer.byteLength(text) > RECORD_MAXIMUM_BYTES) return { state: "skipped", path, why: "too-large" };
  const file = join(candidates, `${draft.id}.md`);
  const judged = judgeStanding(file, text, planned.incomplete);
  if (judged === "unchanged") return { state: "unchanged", path };
  if (judged !== undefined && judged !== "write") return { state: "skipped", path, why: judged };
  write({ path: file, text });
  return { state: "written", path };
}
