/** Why a file in the capsules directory was not selected; each file that was not has exactly one. */
export const REJECTION_REASONS = [
  "unreadable",
  "not-a-regular-file",
  "too-large",
  "no-frontmatter",
  "already-consumed",
  "status-not-active",
  "no-id",
  "bad-created_at",
  "future-created_at",
  "missing-required-field",
  "placeholder-demoted",
  "not-newest",
  "not-named",
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Why nothing at all could be selected. */
export const UNAVAILABLE_REASONS = [
  "bad-memory-root",
  "no-capsules-dir",
  "capsules-dir-unreadable",
  "no-capsules-on-disk",
  "all-candidates-rejected",
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

export interface Rejection {
  /** The file's name in the capsules directory: untrusted text. */
  name: string;
  reason: RejectionReason;
  /** The value or field that decided: untrusted text. */
  detail?: string;
}

/** The field that a reason is about, where it is about one; `missing-required-field` names its own. */
const FIELDS: Partial<Record<RejectionReason, string>> = {
  "already-consumed": "status",
  "status-not-active": "status",
  "no-id": "id",
  "bad-created_at": "created_at",
  "future-created_at": "created_at",
  "not-newest": "created_at",
  "placeholder-demoted": "captured",
};

/** The offending field of a rejected file. */
export function fieldOf({ reason, detail }: Rejection): string | undefined {
  return reason === "missing-required-field" ? detail : FIELDS[reason];
}

/** Reasons that are the ordinary past, not a capsule that was written and then thrown away. */
const ORDINARY: ReadonlySet<RejectionReason> = new Set([
  "already-consumed",
  "not-newest",
  // Could be resumed, and stays so: a person named another one.
  "not-named",
]);
/** States in which a person puts a capsule aside on purpose. */
const PUT_ASIDE: ReadonlySet<string> = new Set(["paused", "abandoned"]);

/** Whether a rejection is ordinary history; every other one is a defect until somebody has looked. */
export function isOrdinary({ reason, detail }: Rejection): boolean {
  return ORDINARY.has(reason) || (reason === "status-not-active" && PUT_ASIDE.has(detail ?? ""));
}
