import { capsuleText, FRAMING } from "../framing.ts";
import { AUTOSAVE_TAG, AUTOSAVE_TRIGGER } from "../judge.ts";
import { neutral } from "./bullets.ts";

/** How much of what makes an autosave worth resuming was captured (decisions.md 6). */
export type Captured = "none" | "partial" | "full";

/** The changing fields of an autosave. */
export interface AutosaveFields {
  objective: string;
  waitingOn: string;
  nextValidAction: string;
  captured: Captured;
  /** ISO 8601 in UTC. */
  updatedAt: string;
}

/** As many claims as a field names; the section has all of them. */
const NAMED_CLAIMS = 8;

const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** A text as a JSON string, which front matter readers and YAML both take; hidden characters are escaped. */
export function jsonScalar(text: string): string {
  return JSON.stringify(text).replaceAll(HIDDEN, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Says that no objective was captured, in the words by which every version knows it. */
export function unknownObjective(claims: readonly string[]): string {
  const named = claims
    .slice(0, NAMED_CLAIMS)
    .map((claim) => claim.slice(0, 8))
    .join(", ");
  const rows = claims.length === 0 ? "" : `; claimed row(s): ${named}`;
  return `Unknown: no human objective was captured${rows}`;
}

/** Says that it is not known what is awaited. */
export function unknownWait(errors: number): string {
  const seen = errors === 0 ? "" : `; ${errors} tool error(s) were seen`;
  return `Unknown: what this session awaited was not captured${seen}`;
}

const UNKNOWN_WAIT =
  /^Unknown: what this session awaited was not captured(?:; (\d{1,9}) tool error\(s\) were seen)?$/;

/** How many errors our own words of an unknown wait tell of; undefined for anybody else's words. */
export function errorsInWait(text: string): number | undefined {
  const own = UNKNOWN_WAIT.exec(text.trim());
  return own === null ? undefined : Number(own[1] ?? 0);
}

/** The next action that there is evidence for: claimed rows, or an admission that there is none. */
export function nextAction(claims: readonly string[]): string {
  if (claims.length === 0) return "No concrete next action was captured";
  const rest = claims.length - NAMED_CLAIMS;
  const named = claims.slice(0, NAMED_CLAIMS).join(", ");
  return `Re-verify claimed row(s) ${named}${rest > 0 ? ` and ${rest} more` : ""} against live state, then continue`;
}

/**
 * The text of a new autosave (capsules.md 1.5, 1.6): every field in its order, the banner, the seven sections.
 *
 * @param createdAt ISO 8601 in UTC.
 */
export function autosaveSkeleton(id: string, createdAt: string, fields: AutosaveFields): string {
  const head: readonly (readonly [key: string, value: string])[] = [
    ["id", jsonScalar(id)],
    ["parent_capsule_id", "null"],
    ["status", "active"],
    ["objective", jsonScalar(neutral(fields.objective))],
    ["waiting_on", jsonScalar(fields.waitingOn)],
    ["resume_trigger", "compact"],
    ["expires", "null"],
    ["trigger", AUTOSAVE_TRIGGER],
    ["captured", fields.captured],
    ["next_valid_action", jsonScalar(fields.nextValidAction)],
    ["success_criteria", "[]"],
    ["tags", `[capsule, ${AUTOSAVE_TAG}]`],
    ["created_at", createdAt],
    ["updated_at", fields.updatedAt],
    ["resolved_at", "null"],
    ...FRAMING,
  ];
  return capsuleText(head);
}
