/** The parts of the doctor, in the order in which their findings are shown. Each is a capability of its own. */
export const DOCTOR_PART_NAMES = [
  "policy",
  "layer",
  "enforcement",
  "hooks",
  "episodes",
  "records",
  "ledger",
  "state",
  "prompts",
  "knowledge",
  "capsules",
  "continuity",
  "server",
  "environment",
] as const;
export type DoctorPartName = (typeof DOCTOR_PART_NAMES)[number];
