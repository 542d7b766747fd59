/** What can be looked through, in the order in which it is to be believed (work.md, search). */
export const SEARCH_KINDS = [
  "handover",
  "checkpoint",
  "decision",
  "question",
  "prompt",
  "session",
  "knowledge",
  "capsule",
  "ledger",
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
