import * as z from "zod/mini";
import { deriveAsked, ownSession } from "../boundary/derive-asked.ts";
import {
  CandidatesAnswer,
  CandidatesInput,
  DeriveAnswer,
  DeriveInput,
  KnowledgeCheckAnswer,
  PromoteAnswer,
  PromoteInput,
  RejectAnswer,
  RejectInput,
  ShowAnswer,
  SourcesAnswer,
} from "../knowledge/answers.ts";
import { judgeStore } from "../knowledge/judge-store.ts";
import { promoteCandidate } from "../knowledge/promote.ts";
import { readQueue } from "../knowledge/queue.ts";
import { rejectCandidate } from "../knowledge/reject.ts";
import { showRecord } from "../knowledge/show.ts";
import { listSources } from "../knowledge/sources.ts";
import { defineCapability } from "./capability.ts";

export const knowledgeDerive = defineCapability({
  id: "knowledge.derive",
  title: "Derive candidates from what an episode, or every closed one, decided, resolved and finished",
  effect: "write",
  nature: { idempotent: true },
  weight: "heavy",
  input: DeriveInput,
  output: DeriveAnswer,
  run: ({ checkout, signal, progress }, input) => deriveAsked(checkout, input, { signal, progress }),
});

export const knowledgeCandidates = defineCapability({
  id: "knowledge.candidates",
  title: "What awaits review: class, title, evidence, episode, branch and day of each candidate",
  effect: "read",
  weight: "heavy",
  input: CandidatesInput,
  output: CandidatesAnswer,
  run: ({ checkout }, { all }) => readQueue(checkout, all === true),
});

export const knowledgeShow = defineCapability({
  id: "knowledge.show",
  title: "One knowledge record whole, its evidence, its signature and its supersession chain",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({ id: z.string() }),
  output: ShowAnswer,
  run: ({ checkout }, { id }) => showRecord(checkout, id),
});

export const knowledgePromote = defineCapability({
  id: "knowledge.promote",
  title: "Make a candidate verified, with the evidence of the person who verified it",
  effect: "write",
  weight: "heavy",
  input: PromoteInput,
  output: PromoteAnswer,
  run: ({ checkout }, input) => promoteCandidate(checkout, input, ownSession(checkout)),
});

export const knowledgeReject = defineCapability({
  id: "knowledge.reject",
  title: "Say that a candidate is not so, and why",
  effect: "write",
  weight: "heavy",
  input: RejectInput,
  output: RejectAnswer,
  run: ({ checkout }, input) => rejectCandidate(checkout, input, ownSession(checkout)),
});

export const knowledgeCheck = defineCapability({
  id: "knowledge.check",
  title: "The integrity of every knowledge record: form, evidence, supersession, signatures",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: KnowledgeCheckAnswer,
  run: ({ checkout, progress }) => ({
    schema: 1 as const,
    ...judgeStore(checkout, (done, total, what) => progress({ done, total, what })),
  }),
});

export const knowledgeSources = defineCapability({
  id: "knowledge.sources",
  title: "The closed table that says what knowledge is derived from",
  effect: "read",
  weight: "light",
  input: z.strictObject({}),
  output: SourcesAnswer,
  run: () => ({ schema: 1 as const, sources: listSources() }),
});

/** What is asked and done about knowledge, for the registry. */
export const KNOWLEDGE = [
  knowledgeDerive,
  knowledgeCandidates,
  knowledgeShow,
  knowledgePromote,
  knowledgeReject,
  knowledgeCheck,
  knowledgeSources,
] as const;
