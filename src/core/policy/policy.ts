import * as z from "zod/mini";
import { DurationText, acceptFields, wholeFrom } from "./accept.ts";

const text = z.string();
const texts = z.array(z.string());
const atLeastOne = wholeFrom(1);
const yes = z.prefault(z.boolean(), true);
const no = z.prefault(z.boolean(), false);

/** A block that the original knows and continuity does not use: kept as it is. */
const Opaque = z.optional(z.record(z.string(), z.unknown()));

function countOr(fallback: number): z.ZodMiniPrefault<z.ZodMiniNumberFormat> {
  return z.prefault(atLeastOne, fallback);
}

/** The sections of a composed session body (records.md 3.5). */
const RECORD_SECTIONS = ["What Happened", "Progress Notes", "Decisions", "Open Questions", "Outcome"];
const FINISH_CLAUSES = [
  "scope_respected",
  "verification_ran",
  "state_updated",
  "no_open_blockers",
  "note_present",
];

/** On unless it is literally false, whatever else stands there (records.md 5). */
const UnlessFalse = z.pipe(
  z.prefault(z.unknown(), true),
  z.transform((value: unknown) => value !== false && value !== "false"),
);

const Session = z.strictObject({
  briefing_on_start: UnlessFalse,
  briefing_budget_lines: countOr(60),
  checkpoint_on_compact: yes,
  handover_on_end: yes,
  handover_on_fill: no,
  knowledge_on_end: yes,
  knowledge_on_compact: yes,
  /** No default: without it, age alone makes nothing recoverable. */
  stranded_after: z.optional(DurationText),
  ensure_server_on_start: yes,
  /** Without thresholds freshness is `unknown`. */
  freshness: z.prefault(
    z.strictObject({ fresh_minutes: z.optional(atLeastOne), stale_minutes: z.optional(atLeastOne) }),
    {},
  ),
  record_sections: z.prefault(texts.check(z.minLength(1)), RECORD_SECTIONS),
  commit_record_on_end: no,
  push_record_on_end: no,
  guard_before_mutation: no,
});

const Enforcement = z.strictObject({
  name: text,
  path: text,
  wired_by: text,
  args: z.prefault(z.array(z.union([text, z.number(), z.boolean()])), []),
});

const Projection = z.strictObject({
  provider: text,
  target: text,
  mode: z.optional(z.enum(["file", "region"])),
  always_loaded: no,
});

/** `.ai/repo/policy.yaml`, every block of records.md 5, with its defaults filled in. Keys are the file's. */
export const Policy = z.strictObject({
  version: z.prefault(z.literal(1), 1),
  context: z.prefault(
    z.strictObject({
      always_loaded_budget_lines: countOr(150),
      builder_budget_lines: countOr(300),
      recent_decisions: z.prefault(wholeFrom(0), 5),
      max_list_items: countOr(20),
      strategy: z.prefault(text, "minimum-sufficient"),
      transcript_is_state: no,
    }),
    {},
  ),
  profiles: z.prefault(
    z.strictObject({
      default: z.prefault(text, "implementation"),
      checkpoint_interval_default: z.prefault(DurationText, "15m"),
    }),
    {},
  ),
  verification: z.prefault(
    z.strictObject({ required_for_changes: yes, finish_requires: z.prefault(texts, FINISH_CLAUSES) }),
    {},
  ),
  checkpoint: z.prefault(
    z.strictObject({ max_body_lines: countOr(40), retention_max_files: countOr(500) }),
    {},
  ),
  handover: z.prefault(
    z.strictObject({
      required_sections: z.prefault(texts, ["Objective", "Current State", "Next Action"]),
      retention_max_files: countOr(200),
    }),
    {},
  ),
  ledger: z.prefault(z.strictObject({ retention_max_lines: countOr(5000) }), {}),
  session: z.prefault(Session, {}),
  prompts: z.prefault(
    z.strictObject({
      retention_max_days: z.optional(atLeastOne),
      retention_max_bytes: z.optional(atLeastOne),
    }),
    {},
  ),
  knowledge: z.prefault(
    z.strictObject({ candidates_max_files: countOr(40), candidate_max_age_minutes: countOr(20160) }),
    {},
  ),
  enforcement: z.prefault(z.array(Enforcement), []),
  projections: z.prefault(z.array(Projection), []),
  benchmark: Opaque,
  use_cases: Opaque,
  commit: Opaque,
  intent: Opaque,
});
export type Policy = z.infer<typeof Policy>;

/**
 * Takes the fields of a policy; an empty file is a policy of defaults.
 *
 * @throws MajordomusError 10 naming every unknown key and every value of another type.
 */
export function parsePolicy(fields: unknown, path: string): Policy {
  return acceptFields(Policy, withBriefingBudget(fields ?? {}), { path, kind: "policy" });
}

const Budgets = z.object({
  context: z.object({ always_loaded_budget_lines: atLeastOne }),
  session: z.prefault(z.looseObject({ briefing_budget_lines: z.optional(z.undefined()) }), {}),
});

/** A briefing without a budget of its own has the always-loaded one, where the file states that. */
function withBriefingBudget(fields: unknown): unknown {
  const budgets = Budgets.safeParse(fields);
  if (!budgets.success) return fields;
  const { context, session } = budgets.data;
  return {
    ...(fields as object),
    session: { ...session, briefing_budget_lines: context.always_loaded_budget_lines },
  };
}
