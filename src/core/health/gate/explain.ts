import { EXIT, MajordomusError } from "../../base/error.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import type { ExplainAnswer } from "../answers.ts";
import { profileNameOf, readProfile } from "./profile-here.ts";
import { readTaskHere } from "../../records/task.ts";

/**
 * The policy and the profile that govern work here, each with its defaults filled in.
 *
 * @param named a profile's name; the task's, else the policy's default, when absent.
 * @throws MajordomusError 12 for a profile that is named nowhere, 10 for one that cannot be read.
 */
export async function explainPolicy(checkout: Checkout, named?: string): Promise<ExplainAnswer> {
  const here = readTaskHere(checkout);
  const ofTask = here.kind === "own" ? here.task.profile : undefined;
  const name = profileNameOf(checkout, named ?? ofTask);
  const profile = await readProfile(checkout, name);
  if (!profile.ok) {
    throw new MajordomusError({
      code: "profile.unusable",
      exit: EXIT.finding,
      subject: name,
      message: profile.error,
      remedy: "`majordomus doctor` judges every profile",
    });
  }
  return {
    schema: 1,
    profile_name: name,
    chosen_by: named !== undefined ? "asked" : name === ofTask ? "task" : "policy",
    profile: profile.value,
    policy: checkout.settings.policy,
  };
}
