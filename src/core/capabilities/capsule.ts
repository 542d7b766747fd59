import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import {
  CapsuleCompactAnswer,
  CapsuleListAnswer,
  CapsulePointAnswer,
  CapsuleResumeAnswer,
  CapsuleSelectAnswer,
  CapsuleSettleAnswer,
  CapsuleShowAnswer,
  CapsuleValidateAnswer,
  CapsuleWriteAnswer,
} from "../capsule/answers.ts";
import { settleCapsule, writeCapsule } from "../capsule/author.ts";
import { compactChain } from "../capsule/chain.ts";
import { findCapsule } from "../capsule/find.ts";
import type { MemoryTree } from "../capsule/memory-tree.ts";
import { pointAt } from "../capsule/point.ts";
import { listVerdicts, readMemory, showCapsule, viewSelection } from "../capsule/read-model.ts";
import { resumeHere } from "../capsule/resume-here.ts";
import { validateCapsules } from "../capsule/validate-many.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { defineCapability } from "./capability.ts";

const Named = z.strictObject({
  /** A capsule's id, or its file's name. */
  capsule: z.string().check(z.minLength(1), z.maxLength(1024)),
});

/** The memory tree of a checkout; without one there is nothing to act on. */
function treeOf(checkout: Checkout): MemoryTree {
  const memory = readMemory(checkout);
  if ("tree" in memory) return memory.tree;
  throw new MajordomusError({ code: "EMEMORYROOT", exit: EXIT.finding, message: memory.fault });
}

export const capsuleList = defineCapability({
  id: "capsule.list",
  title: "Every capsule on disk with its verdict and the field that it is about",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: CapsuleListAnswer,
  run: ({ checkout }) => listVerdicts(checkout, checkout.clock.now()),
});

export const capsuleSelect = defineCapability({
  id: "capsule.select",
  title: "The capsule that a clear would resume now, and why every other one would not be",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: CapsuleSelectAnswer,
  run: ({ checkout }) => viewSelection(checkout, checkout.clock.now()),
});

export const capsuleShow = defineCapability({
  id: "capsule.show",
  title: "One capsule: its values, its verdict, its problems, its text",
  effect: "read",
  weight: "heavy",
  input: Named,
  output: CapsuleShowAnswer,
  run: ({ checkout }, { capsule }) => {
    const tree = treeOf(checkout);
    return showCapsule(tree, findCapsule(tree, capsule), checkout.clock.now());
  },
});

export const capsuleValidate = defineCapability({
  id: "capsule.validate",
  title: "What the validator says of capsules, or of a text that is none yet",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({
    /** Ids or names; all that are not spent when absent. */
    capsules: z.optional(z.array(z.string())),
    text: z.optional(z.string()),
  }),
  output: CapsuleValidateAnswer,
  run: ({ checkout }, { capsules, text }) => ({
    schema: 1 as const,
    findings: validateCapsules(checkout, checkout.clock.now(), { capsules, text }),
  }),
});

export const capsuleProcedure = defineCapability({
  id: "capsule.procedure",
  title: "The resume procedure as a clear would print it now; nothing is spent",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({
    capsule: z.optional(z.string()),
    /** Without the ledger as data, for who has it from a selection. */
    brief: z.optional(z.boolean()),
  }),
  output: CapsuleResumeAnswer,
  run: ({ checkout }, { capsule, brief }) =>
    resumeHere(checkout, { capsule, spend: false, preview: true, brief: brief === true }),
});

export const capsuleResume = defineCapability({
  id: "capsule.resume",
  title: "The resume procedure for the newest or a named capsule, spending it when that is asked for",
  effect: "write",
  weight: "heavy",
  input: z.strictObject({ capsule: z.optional(z.string()), spend: z.optional(z.boolean()) }),
  output: CapsuleResumeAnswer,
  run: ({ checkout, ifUnheard }, { capsule, spend }) =>
    resumeHere(checkout, { capsule, spend: spend === true, preview: false }, ifUnheard),
});

export const capsuleWrite = defineCapability({
  id: "capsule.write",
  title: "Write a curated capsule under the name of its id",
  effect: "write",
  weight: "light",
  input: z.strictObject({ text: z.string() }),
  output: z.extend(CapsuleWriteAnswer, { framing: z.array(z.string()) }),
  run: ({ checkout }, { text }) => ({
    schema: 1 as const,
    ...writeCapsule(treeOf(checkout), text, checkout.clock.now()),
  }),
});

/** Both ways of putting a capsule aside differ in one word. */
function defineSettle(status: "resolved" | "abandoned", verb: string) {
  return defineCapability({
    id: `capsule.${verb}`,
    title: `Mark a capsule as ${status}: no clear resumes it any more`,
    effect: "write",
    nature: { idempotent: true },
    weight: "light",
    input: Named,
    output: CapsuleSettleAnswer,
    run: ({ checkout }, { capsule }) => ({
      schema: 1 as const,
      status,
      ...settleCapsule(treeOf(checkout), capsule, status, checkout),
    }),
  });
}

export const capsuleResolve = defineSettle("resolved", "resolve");
export const capsuleAbandon = defineSettle("abandoned", "abandon");

export const capsuleCompact = defineCapability({
  id: "capsule.compact",
  title: "Put the oldest links of a long chain of capsules into one summary",
  effect: "write",
  weight: "heavy",
  input: Named,
  output: CapsuleCompactAnswer,
  run: ({ checkout }, { capsule }) => ({
    schema: 1 as const,
    ...compactChain(treeOf(checkout), capsule, checkout),
  }),
});

export const capsulePoint = defineCapability({
  id: "capsule.point",
  title: "Note a capsule in BODY_STATE.json: a hint for audits, which nothing resumes from",
  effect: "write",
  nature: { idempotent: true },
  weight: "light",
  input: z.strictObject({
    capsule: z.string().check(z.minLength(1)),
    /** What a relative path is relative to; the work tree when absent. */
    directory: z.optional(z.string()),
  }),
  output: CapsulePointAnswer,
  run: ({ checkout }, { capsule, directory }) => ({
    schema: 1 as const,
    ...pointAt(treeOf(checkout), capsule, directory ?? checkout.root, checkout),
  }),
});

/** Everything about capsules, for the registry. */
export const CAPSULES = [
  capsuleList,
  capsuleSelect,
  capsuleShow,
  capsuleValidate,
  capsuleProcedure,
  capsuleResume,
  capsuleWrite,
  capsuleResolve,
  capsuleAbandon,
  capsuleCompact,
  capsulePoint,
] as const;
