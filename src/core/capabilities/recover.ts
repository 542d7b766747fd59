import { deriveBeforeClosing } from "../boundary/derive-knowledge.ts";
import { handOverLost } from "../boundary/hand-over-lost.ts";
import { memoryDirectories } from "../capsule/read-model.ts";
import { applyRecovery } from "../episode/apply-recovery.ts";
import { planRecovery } from "../episode/plan-recovery.ts";
import {
  RecoverApplyAnswer,
  RecoverApplyInput,
  RecoverPlanAnswer,
  RecoverPlanInput,
} from "../episode/recovery-answers.ts";
import { defineCapability } from "./capability.ts";

export const recoverPlan = defineCapability({
  id: "recover.plan",
  title: "What recovery would do, and the evidence for it",
  effect: "read",
  weight: "heavy",
  input: RecoverPlanInput,
  output: RecoverPlanAnswer,
  run: ({ checkout }, input) => planRecovery(checkout, input, memoryDirectories(checkout)).answer,
});

export const recoverApply = defineCapability({
  id: "recover.apply",
  title: "Carry out what recovery planned",
  effect: "write",
  nature: { destructive: true },
  weight: "heavy",
  input: RecoverApplyInput,
  output: RecoverApplyAnswer,
  run: async ({ checkout, signal, progress }, { only, expect, ...input }) => {
    const wish = { ...input, subject: input.subject ?? "all" };
    const recovery = planRecovery(checkout, wish, memoryDirectories(checkout));
    const plan = recovery.answer;
    const wanted = only === undefined ? plan.actions : plan.actions.filter(({ id }) => only.includes(id));
    if (expect !== undefined && expect !== plan.digest) {
      return { state: "changed" as const, performed: [], failed: [], plan };
    }
    if (wanted.length === 0) return { state: "nothing" as const, performed: [], failed: [], plan };
    const { performed, failed } = await applyRecovery(
      checkout,
      recovery,
      wanted,
      signal,
      (done, action) => progress({ done, total: wanted.length, what: action.subject }),
      {
        handOver: handOverLost,
        derive: (target, episode) => deriveBeforeClosing(target, { ...episode, openAt: undefined }),
      },
    );
    return { state: "applied" as const, performed, failed, plan };
  },
});
