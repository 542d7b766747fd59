import * as z from "zod/mini";
import type { ExplainAnswer } from "../../core/health/answers.ts";

const flag = z.optional(z.boolean());

/** Of the policy and a profile, what the console speaks about. */
const Explained = z.object({
  policy: z.object({
    verification: z.optional(
      z.object({ finish_requires: z.optional(z.array(z.string())), required_for_changes: flag }),
    ),
    handover: z.optional(z.object({ required_sections: z.optional(z.array(z.string())) })),
    checkpoint: z.optional(z.object({ max_body_lines: z.optional(z.number()) })),
  }),
  profile: z.object({
    verification: z.optional(
      z.object({
        verify_command_required: flag,
        regression_test_required: flag,
        decision_record_required: flag,
      }),
    ),
    output_contract: z.optional(z.array(z.string())),
  }),
});

/** What policy and profile ask of the work here. */
export interface Terms {
  profile: string;
  /** Clauses that a finish is judged by. */
  clauses: readonly string[];
  /** What is asked beside them, in words. */
  asks: readonly string[];
  /** Sections that a handover and a completion note need. */
  sections: readonly string[];
  /** Lines that a checkpoint may have. */
  checkpointLines: number | undefined;
  output: readonly string[];
}

const NOTHING: Terms = {
  profile: "",
  clauses: [],
  asks: [],
  sections: [],
  checkpointLines: undefined,
  output: [],
};

/** Reads the terms out of an explanation; of one in an unknown form, none. */
export function termsOf(explained: ExplainAnswer | undefined): Terms {
  const parsed = Explained.safeParse(explained);
  if (explained === undefined || !parsed.success) return NOTHING;
  const { policy, profile } = parsed.data;
  const asked: readonly (readonly [boolean | undefined, string])[] = [
    [profile.verification?.verify_command_required, "a verification command"],
    [
      policy.verification?.required_for_changes === true &&
        profile.verification?.verify_command_required !== true,
      "a verification command when files changed",
    ],
    [profile.verification?.regression_test_required, "a changed test"],
    [profile.verification?.decision_record_required, "a recorded decision"],
  ];
  return {
    profile: explained.profile_name,
    clauses: policy.verification?.finish_requires ?? [],
    asks: asked.flatMap(([wanted, what]) => (wanted === true ? [what] : [])),
    sections: policy.handover?.required_sections ?? [],
    checkpointLines: policy.checkpoint?.max_body_lines,
    output: profile.output_contract ?? [],
  };
}
