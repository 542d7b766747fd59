import * as z from "zod/mini";
import { DurationText, acceptFields, wholeFrom } from "./accept.ts";

const no = z.prefault(z.boolean(), false);
const yes = z.prefault(z.boolean(), true);
const Effort = z.enum(["low", "medium", "high", "xhigh", "max"]);

/** `.ai/repo/profiles/<name>.yaml`: how a kind of work is done (work.md, Profiles). */
export const Profile = z.strictObject({
  name: z.string(),
  description: z.prefault(z.string(), ""),
  capability: z.prefault(z.enum(["fast", "standard", "strong", "strongest"]), "standard"),
  effort: z.prefault(Effort, "medium"),
  effort_escalation: z.optional(z.strictObject({ after_blocked_attempts: wholeFrom(1), to: Effort })),
  verbosity: z.prefault(z.enum(["terse", "concise", "detailed"]), "concise"),
  presentation: z.prefault(z.enum(["machine", "engineering", "summary"]), "engineering"),
  context: z.prefault(
    z.strictObject({
      task: yes,
      current_state: yes,
      decisions: no,
      relevant_files: no,
      failing_output: no,
      /** How many events of recent history; 0 leaves the section out. */
      recent_history_depth: z.prefault(wholeFrom(0), 0),
      architecture_notes: no,
    }),
    {},
  ),
  verification: z.prefault(
    z.strictObject({
      verify_command_required: no,
      regression_test_required: no,
      decision_record_required: no,
    }),
    {},
  ),
  /** Absent: the policy's `profiles.checkpoint_interval_default`. */
  checkpoint_interval: z.optional(DurationText),
  output_contract: z.prefault(z.array(z.string()), []),
});
export type Profile = z.infer<typeof Profile>;

/**
 * Takes the fields of a profile.
 *
 * @throws MajordomusError 10 naming every key that is unknown, missing or of another type.
 */
export function parseProfile(fields: unknown, path: string): Profile {
  return acceptFields(Profile, fields ?? {}, { path, kind: "profile" });
}
