import * as z from "zod/mini";

const text = z.string();

/** What is asked and answered about prompts. */
export const PromptInput = z.strictObject({ name: text });

export const PromptsListAnswer = z.object({
  schema: z.literal(1),
  prompts: z.array(
    z.object({
      name: text,
      description: text,
      profile: z.optional(text),
      path: text,
      /** Why it cannot be rendered; empty when it can. */
      faults: z.array(text),
    }),
  ),
  /** Files in a prompt's place that are none. */
  skipped: z.array(z.object({ path: text, reason: text })),
});
export type PromptsListAnswer = z.infer<typeof PromptsListAnswer>;

export const PromptShowAnswer = z.object({
  schema: z.literal(1),
  name: text,
  path: text,
  /** The file as it stands. */
  text: text,
});

export const PromptRenderAnswer = z.object({
  schema: z.literal(1),
  name: text,
  profile: z.optional(text),
  text: text,
});
