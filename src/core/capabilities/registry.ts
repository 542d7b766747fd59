import type { Capability } from "./capability.ts";
import { CAPSULES } from "./capsule.ts";
import { JUDGES } from "./doctor.ts";
import { checkCheckpoint, checkRun, finishRun, policyExplain } from "./gate.ts";
import { CONTEXT } from "./context.ts";
import { CONTINUITY } from "./continuity.ts";
import { DECISIONS_AND_QUESTIONS } from "./decisions-questions.ts";
import { hooksReport } from "./hooks.ts";
import { historyQuery, historyRotate, historyValidate } from "./history.ts";
import {
  continuityState,
  lifecycleClosed,
  lifecycleEpisodes,
  lifecycleProviders,
  lifecycleRecovery,
  lifecycleRuntime,
} from "./lifecycle.ts";
import { KNOWLEDGE } from "./knowledge.ts";
import { promptsList, promptsRender, promptsShow } from "./prompts.ts";
import { recoverApply, recoverPlan } from "./recover.ts";
import { searchRun } from "./search.ts";
import { recordHints, recordRead } from "./record.ts";
import { SERVING } from "./serving.ts";
import { SESSIONS } from "./session.ts";
import { WORK_RECORDS } from "./work.ts";

/** Every read and every act of the program, declared once; the order is the one in which they are listed. */
export const CAPABILITIES: readonly Capability[] = [
  lifecycleEpisodes,
  lifecycleRecovery,
  lifecycleRuntime,
  lifecycleProviders,
  lifecycleClosed,
  continuityState,
  historyQuery,
  historyValidate,
  historyRotate,
  recoverPlan,
  recoverApply,
  ...SESSIONS,
  recordRead,
  recordHints,
  ...KNOWLEDGE,
  ...CAPSULES,
  ...CONTINUITY,
  ...WORK_RECORDS,
  ...DECISIONS_AND_QUESTIONS,
  ...CONTEXT,
  checkRun,
  checkCheckpoint,
  finishRun,
  policyExplain,
  ...JUDGES,
  hooksReport,
  ...SERVING,
  searchRun,
  promptsList,
  promptsShow,
  promptsRender,
] as unknown as readonly Capability[];
