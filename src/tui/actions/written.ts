import type * as z from "zod/mini";
import type { Act, Outcome } from "../proposal.ts";

/** Reads an answer by its schema; one in an unknown form is said to be that, whatever it did. */
export function written<Answer>(
  schema: z.ZodMiniType<Answer>,
  outcome: (answer: Answer) => Outcome,
): Act["outcome"] {
  return (value) => {
    const answer = schema.safeParse(value);
    if (answer.success) return outcome(answer.data);
    return { tone: "bad", text: "it was answered in an unknown form; look at the row before trying again" };
  };
}
