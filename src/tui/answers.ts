import type * as z from "zod/mini";
import {
  CapsuleListAnswer,
  CapsuleResumeAnswer,
  CapsuleSelectAnswer,
  CapsuleShowAnswer,
} from "../core/capsule/answers.ts";
import { BriefingAnswer } from "../core/context/answers.ts";
import { PlanAnswer } from "../core/continuity/plan-answer.ts";
import { RecordsAnswer, StatusAnswer } from "../core/continuity/status.ts";
import { RecoverPlanAnswer } from "../core/episode/recovery-answers.ts";
import { CheckAnswer, ExplainAnswer, FindingsAnswer, FinishAnswer } from "../core/health/answers.ts";
import { CandidatesAnswer, ShowAnswer } from "../core/knowledge/answers.ts";
import { HintsAnswer } from "../core/labels/terms.ts";
import { HistoryAnswer } from "../core/ledger/answers.ts";
import {
  ClosedAnswer,
  EpisodesAnswer,
  ProvidersAnswer,
  RecoveryAnswer,
  RuntimeAnswer,
  StateAnswer,
} from "../core/lifecycle/answers.ts";
import { PeersAnswer, ServerAnswer } from "../core/serving/answers.ts";
import {
  CheckpointShowAnswer,
  DecisionListAnswer,
  HandoverResolveAnswer,
  QuestionListAnswer,
} from "../core/task/answers.ts";
import type { SliceName } from "./questions.ts";

/**
 * What the answer of each slice looks like. Schemas are made when this is loaded, which is not before the first
 * frame.
 */
export const ANSWERS = {
  state: StateAnswer,
  episodes: EpisodesAnswer,
  recovery: RecoveryAnswer,
  plan: RecoverPlanAnswer,
  history: HistoryAnswer,
  closed: ClosedAnswer,
  lines: HistoryAnswer,
  found: HistoryAnswer,
  handover: HandoverResolveAnswer,
  checkpoint: CheckpointShowAnswer,
  questions: QuestionListAnswer,
  decisions: DecisionListAnswer,
  terms: ExplainAnswer,
  contract: FinishAnswer,
  told: BriefingAnswer,
  doctor: FindingsAnswer,
  check: CheckAnswer,
  watch: FindingsAnswer,
  runtime: RuntimeAnswer,
  candidates: CandidatesAnswer,
  candidate: ShowAnswer,
  capsules: CapsuleListAnswer,
  selection: CapsuleSelectAnswer,
  capsule: CapsuleShowAnswer,
  procedure: CapsuleResumeAnswer,
  sync: StatusAnswer,
  travelling: RecordsAnswer,
  resumePlan: PlanAnswer,
  hints: HintsAnswer,
  providers: ProvidersAnswer,
  server: ServerAnswer,
  peers: PeersAnswer,
} as const satisfies Record<SliceName, z.ZodMiniType>;
