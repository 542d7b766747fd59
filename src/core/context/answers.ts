import * as z from "zod/mini";

const text = z.string();
const count = z.int();

export const ContextInput = z.strictObject({
  /** Lines; the policy's `context.builder_budget_lines` when absent. */
  budget_lines: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
  /** The provider that it is made for. */
  provider: z.optional(text),
  /** A prompt that is rendered at its end. */
  prompt: z.optional(text),
});
export type ContextInput = z.infer<typeof ContextInput>;

/** The context document (records.md 11), as text and in its parts. */
export const ContextAnswer = z.object({
  schema: z.literal(1),
  generated_at: text,
  provider: z.optional(text),
  git: z.object({
    repository: text,
    branch: text,
    head: text,
    working_tree: text,
  }),
  task: z.nullable(
    z.object({
      id: text,
      task: text,
      profile: text,
      outcome: text,
      scope: z.array(text),
    }),
  ),
  /** Why it is unknown whether there is a task, where the record cannot be read. */
  task_unknown: z.optional(text),
  sections: z.array(z.object({ id: text, lines: count, text })),
  excluded: z.array(z.object({ item: text, reason: text })),
  budget: z.object({ lines: count, limit: count, dropped: z.array(text) }),
  over_budget: z.boolean(),
  /** The whole document. */
  text,
});
export type ContextAnswer = z.infer<typeof ContextAnswer>;

export const BriefingAnswer = z.object({
  schema: z.literal(1),
  /** Empty where the policy wants no briefing. */
  text,
});
