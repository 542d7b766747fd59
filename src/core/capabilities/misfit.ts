import type { Capability } from "./capability.ts";

/** What is wrong with an input: where, from its top, and what. */
export interface Misfit {
  path: string;
  message: string;
}

/** The first thing that is wrong with an input, in words: the library has those in a part of its own, which only a misfit needs. */
export async function misfitOf<Input, Output>(
  { input }: Pick<Capability<Input, Output>, "input">,
  given: unknown,
): Promise<Misfit> {
  const { default: english } = await import("zod/v4/locales/en.js");
  const { localeError } = english();
  const issue = input.safeParse(given, { error: localeError }).error?.issues[0];
  return { path: issue?.path.join(".") ?? "", message: issue?.message ?? "the input does not fit" };
}
