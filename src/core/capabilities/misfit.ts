import type { Capability } from "./capability.ts";
import { misfitWords } from "./misfit-words.ts";

/** What is wrong with an input: where, from its top, and what. */
export interface Misfit {
  path: string;
  message: string;
}

/** The first thing that is wrong with an input, in words for people: those of its schema, where that has any. */
export function misfitOf<Input, Output>(
  { input }: Pick<Capability<Input, Output>, "input">,
  given: unknown,
): Misfit {
  const issue = input.safeParse(given, { error: misfitWords }).error?.issues[0];
  return { path: issue?.path.join(".") ?? "", message: issue?.message ?? "does not fit" };
}
