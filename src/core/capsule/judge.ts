import { isNothingCaptured } from "./content-gate.ts";
import type { CapsuleDocument } from "./document.ts";
import type { RejectionReason } from "./reasons.ts";
import { parseStamp } from "./stamp.ts";

/** A capsule that could be resumed, by its own front matter. */
export interface Candidate {
  id: string;
  /** Milliseconds since the epoch. */
  created: number;
  createdRaw: string;
  /** An autosave that captured neither a request nor a claim. */
  placeholder: boolean;
}

export type Verdict =
  | { valid: true; candidate: Candidate }
  | { valid: false; reason: RejectionReason; detail?: string };

/** How far ahead of our clock another machine's may be, in milliseconds. */
const SKEW = 5 * 60_000;

const SPENT: ReadonlySet<string> = new Set(["resumed", "resolved", "consumed", "superseded"]);
const ABSENT = "(absent)";

function rejected(reason: RejectionReason, detail?: string): Verdict {
  return detail === undefined ? { valid: false, reason } : { valid: false, reason, detail };
}

/** The tag and the trigger by which an autosave is known, to its writer and to every reader. */
export const AUTOSAVE_TAG = "autosave";
export const AUTOSAVE_TRIGGER = "stop-delta";

/** Whether a capsule is the Stop hook's own snapshot; by its structure, never by its wording (capsules.md 5.3). */
export function isAutosave(document: CapsuleDocument): boolean {
  return document.text("trigger") === AUTOSAVE_TRIGGER || hasAutosaveTag(document);
}

/** The tag in any letter case: what the writer takes for its own is what every reader calls an autosave. */
export function hasAutosaveTag(document: CapsuleDocument): boolean {
  return document.list("tags").some((tag) => tag.toLowerCase() === AUTOSAVE_TAG);
}

const CAPTURED: ReadonlySet<string> = new Set(["none", "partial", "full"]);

/** An autosave that holds nothing to go on with: by its field, in older files by how their values begin. */
function isPlaceholder(document: CapsuleDocument, objective: string, action: string): boolean {
  const captured = document.text("captured");
  const told = CAPTURED.has(captured) && document.text("trigger") === AUTOSAVE_TRIGGER;
  if (told) return captured === "none";
  return (isNothingCaptured(objective) || isNothingCaptured(action)) && isAutosave(document);
}

/**
 * Judges one file's content, test by test; the first that fails is the reason (capsules.md 3.3, decisions.md 6).
 *
 * @param now milliseconds since the epoch: a capsule of the future is not the newest.
 */
export function judgeCapsule(document: CapsuleDocument | undefined, now: number): Verdict {
  if (document === undefined) return rejected("no-frontmatter");
  const status = document.text("status");
  if (SPENT.has(status)) return rejected("already-consumed", status);
  if (status !== "active") return rejected("status-not-active", status === "" ? ABSENT : status);
  const id = document.text("id").trim();
  if (id === "") return rejected("no-id");
  const createdRaw = document.text("created_at");
  const created = parseStamp(createdRaw);
  if (created === undefined) return rejected("bad-created_at", createdRaw === "" ? ABSENT : createdRaw);
  if (created > now + SKEW) return rejected("future-created_at", createdRaw);
  const objective = document.value("objective");
  if (objective.trim() === "") return rejected("missing-required-field", "objective");
  const action = document.value("next_valid_action");
  if (action.trim() === "") return rejected("missing-required-field", "next_valid_action");
  const placeholder = isPlaceholder(document, objective, action);
  return { valid: true, candidate: { id, created, createdRaw, placeholder } };
}
