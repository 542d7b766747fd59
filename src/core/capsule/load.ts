import type { CapsuleDocument } from "./document.ts";
import { isAutosave } from "./judge.ts";
import type { FoundCapsule } from "./select.ts";
import { problemText, validateDocument } from "./validate.ts";

/** A capsule's values as a resume shows them: untrusted text, every one of them. */
export interface LoadedCapsule {
  id: string;
  name: string;
  /** Absolute. */
  path: string;
  objective: string;
  /** Empty where the capsule says nothing. */
  waitingOn: string;
  nextValidAction: string;
  created: number;
  createdRaw: string;
  /** When an autosave last wrote it, raw; empty where it does not say. */
  updatedRaw: string;
  autosave: boolean;
  placeholder: boolean;
  /** What a validator would object to although the selector takes it. */
  problems: string[];
}

/** Reads the values of a capsule that was found valid. */
export function loadCapsule(found: FoundCapsule, document: CapsuleDocument): LoadedCapsule {
  return {
    id: found.id,
    name: found.name,
    path: found.path,
    objective: document.value("objective").trim(),
    waitingOn: document.value("waiting_on").trim(),
    nextValidAction: document.value("next_valid_action").trim(),
    created: found.created,
    createdRaw: found.createdRaw,
    updatedRaw: document.text("updated_at"),
    autosave: isAutosave(document),
    placeholder: found.placeholder,
    problems: validateDocument(document).problems.map(problemText),
  };
}
