/** Why a record is refused (records.md 14.5), in the order in which it is judged. */
export const ADMISSION_CODES = [
  "continuity.record_too_large",
  "continuity.record_malformed",
  "continuity.schema_too_new",
  "continuity.schema_unknown",
  "continuity.id_mismatch",
  "continuity.bad_signature",
  "continuity.foreign_repository",
  "continuity.secret",
  "continuity.nonportable_field",
] as const;
export type AdmissionCode = (typeof ADMISSION_CODES)[number];

/**
 * What a merge does with a file that a remote has and we refuse: what is harmful or nobody's is left out;
 * what only a later version may understand is kept, so that an older program never drops it.
 */
export const MERGED: Readonly<Record<AdmissionCode, boolean>> = {
  "continuity.record_too_large": false,
  "continuity.record_malformed": true,
  "continuity.schema_too_new": true,
  "continuity.schema_unknown": true,
  "continuity.id_mismatch": false,
  "continuity.bad_signature": false,
  "continuity.foreign_repository": false,
  "continuity.secret": false,
  "continuity.nonportable_field": false,
};
