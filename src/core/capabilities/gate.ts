import * as z from "zod/mini";
import { authorHere } from "../boundary/work-by-hand.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { CheckAnswer, CheckInput, ExplainAnswer, FinishAnswer, FinishInput } from "../health/answers.ts";
import { checkWork } from "../health/gate/check.ts";
import type { CheckCompany } from "../health/gate/check.ts";
import { explainPolicy } from "../health/gate/explain.ts";
import { finishTask } from "../health/gate/finish.ts";
import { judgeIntegrity } from "../knowledge/judgements.ts";
import { findOverlaps } from "../task/scope.ts";
import { defineCapability } from "./capability.ts";
import { ownPaths } from "./own-paths.ts";

/** What a check takes from other domains. */
function companyOf(checkout: Checkout): CheckCompany {
  return {
    overlaps: (scope) => findOverlaps(checkout, scope),
    own: ownPaths(checkout),
    knowledge: () => judgeIntegrity(checkout),
  };
}

export const checkRun = defineCapability({
  id: "check.run",
  title: "The work of this checkout's task judged against its scope, its time and the stores",
  effect: "read",
  weight: "heavy",
  input: CheckInput,
  output: CheckAnswer,
  run: ({ checkout }, input) => checkWork(checkout, input, companyOf(checkout)),
});

export const checkCheckpoint = defineCapability({
  id: "check.checkpoint",
  title: "The same judgement, and the task's time of the last checkpoint moved to now",
  effect: "write",
  weight: "heavy",
  input: CheckInput,
  output: CheckAnswer,
  run: ({ checkout }, input) =>
    checkWork(checkout, input, {
      ...companyOf(checkout),
      checkpoint: { session: authorHere(checkout).session },
    }),
});

export const finishRun = defineCapability({
  id: "finish.run",
  title: "End the task, if it keeps the contract that policy and profile ask for",
  effect: "write",
  nature: { outside: true },
  weight: "heavy",
  input: FinishInput,
  output: FinishAnswer,
  run: ({ checkout, signal }, input) =>
    finishTask(checkout, input, {
      session: input.check === true ? undefined : authorHere(checkout).session,
      signal,
      own: ownPaths(checkout),
    }),
});

export const policyExplain = defineCapability({
  id: "policy.explain",
  title: "The policy and the profile that govern work here, defaults filled in",
  effect: "read",
  weight: "light",
  input: z.strictObject({
    /** A profile's name; the task's, else the policy's default, when absent. */
    profile: z.optional(z.string()),
  }),
  output: ExplainAnswer,
  run: ({ checkout }, { profile }) => explainPolicy(checkout, profile),
});
