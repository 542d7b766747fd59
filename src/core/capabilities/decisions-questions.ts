import * as z from "zod/mini";
import { authorHere } from "../boundary/work-by-hand.ts";
import {
  DecisionAddInput,
  DecisionAnswer,
  DecisionListAnswer,
  DecisionListInput,
  DecisionShowInput,
  QuestionAddAnswer,
  QuestionAddInput,
  QuestionListAnswer,
  QuestionResolveAnswer,
  QuestionResolveInput,
} from "../task/answers.ts";
import { addDecision, listDecisions, showDecision } from "../task/decisions.ts";
import { addQuestion, listQuestions, resolveQuestion } from "../task/questions.ts";
import { defineCapability } from "./capability.ts";

export const decisionAdd = defineCapability({
  id: "decision.add",
  title: "Record what was decided, why, and what was rejected",
  effect: "write",
  weight: "light",
  input: DecisionAddInput,
  output: DecisionAnswer,
  run: ({ checkout }, input) => ({
    schema: 1 as const,
    decision: addDecision(checkout, input, authorHere(checkout)),
  }),
});

export const decisionList = defineCapability({
  id: "decision.list",
  title: "The decisions of this checkout, oldest first",
  effect: "read",
  weight: "light",
  input: DecisionListInput,
  output: DecisionListAnswer,
  run: ({ checkout }, { task }) => ({ schema: 1 as const, decisions: listDecisions(checkout, task) }),
});

export const decisionShow = defineCapability({
  id: "decision.show",
  title: "One decision, by its title or a part of it",
  effect: "read",
  weight: "light",
  input: DecisionShowInput,
  output: DecisionAnswer,
  run: ({ checkout }, { decision }) => ({ schema: 1 as const, decision: showDecision(checkout, decision) }),
});

export const questionAdd = defineCapability({
  id: "question.add",
  title: "Ask what a person has to answer before work can be completed",
  effect: "write",
  weight: "light",
  input: QuestionAddInput,
  output: QuestionAddAnswer,
  run: ({ checkout }, { question }) => ({
    schema: 1 as const,
    question: addQuestion(checkout, question, authorHere(checkout)),
  }),
});

export const questionResolve = defineCapability({
  id: "question.resolve",
  title: "Answer the one open question that contains a text",
  effect: "write",
  weight: "light",
  input: QuestionResolveInput,
  output: QuestionResolveAnswer,
  run: ({ checkout }, { question, answer }) => ({
    schema: 1 as const,
    question: resolveQuestion(checkout, { substring: question, answer }, authorHere(checkout)),
  }),
});

export const questionList = defineCapability({
  id: "question.list",
  title: "The questions of this checkout, open and answered",
  effect: "read",
  weight: "light",
  input: z.strictObject({}),
  output: QuestionListAnswer,
  run: ({ checkout }) => ({ schema: 1 as const, ...listQuestions(checkout) }),
});

/** What is done and asked about decisions and questions, for the registry. */
export const DECISIONS_AND_QUESTIONS = [
  decisionAdd,
  decisionList,
  decisionShow,
  questionAdd,
  questionResolve,
  questionList,
] as const;
