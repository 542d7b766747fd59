import type * as z from "zod/mini";
import { PromoteAnswer, RejectAnswer } from "../../core/knowledge/answers.ts";
import type { CandidateView } from "../../core/knowledge/answers.ts";
import { KnowledgeClass } from "../../core/records/knowledge.ts";
import type { Desk } from "../desk.ts";
import type { FormField, Review, Values } from "../form.ts";
import type { Fact } from "../model/facts.ts";
import { counted } from "../model/names.ts";
import type { Act, Outcome, Proposal } from "../proposal.ts";
import { chosenRows } from "./chosen-rows.ts";
import { openForm } from "./form-keys.ts";
import { runWork } from "./work.ts";
import { written } from "./written.ts";

interface Chosen {
  root: string;
  candidates: readonly [CandidateView, ...CandidateView[]];
}

function chosenCandidates(desk: Desk): Chosen | undefined {
  const [row, ...rows] = chosenRows(desk);
  const [first, ...others] = [row, ...rows].flatMap((each) =>
    each?.kind === "candidate" ? [each.candidate] : [],
  );
  return row === undefined || first === undefined
    ? undefined
    : { root: row.root, candidates: [first, ...others] };
}

/** Which records it is about, before and while it is decided. */
function candidateFacts({ candidates }: Chosen): Fact[] {
  const [only] = candidates;
  if (candidates.length === 1) {
    return [
      { label: "candidate", text: only.title },
      { label: "", text: only.description, tone: "muted" },
      { label: "now", text: `${only.class}, ${only.epistemics}, evidence ${only.evidence}` },
    ];
  }
  return candidates.map(({ class: kind, title }, index) => ({
    label: index === 0 ? counted(candidates.length, "record") : "",
    text: `${kind}: ${title}`,
  }));
}

interface Decided {
  state: string;
  path: string;
  text?: string | undefined;
  notes?: string[];
}

/** One of the two things that a person decides about candidates. */
interface Decision {
  capability: string;
  what: string;
  done: string;
  schema: z.ZodMiniType<Decided>;
  input: (candidate: CandidateView) => Record<string, unknown>;
}

const KEEP_CLASS = "as it is";

function promotion({ class: kind = KEEP_CLASS, evidence = "" }: Values): Decision {
  const chosen = kind === KEEP_CLASS ? {} : { class: kind };
  return {
    capability: "knowledge.promote",
    what: "promoting",
    done: "promoted",
    schema: PromoteAnswer,
    input: ({ id, digest }) => ({ id, evidence, expect: digest, ...chosen }),
  };
}

function rejection({ reason = "", by = "" }: Values): Decision {
  const successor = by.trim() === "" ? {} : { by: by.trim() };
  return {
    capability: "knowledge.reject",
    what: "rejecting",
    done: "rejected",
    schema: RejectAnswer,
    input: ({ id, digest }) => ({ id, reason, expect: digest, ...successor }),
  };
}

function changedSince({ title, path }: CandidateView, root: string): Outcome {
  return {
    again: {
      title: "It changed",
      root,
      verb: "look",
      acts: [],
      says: [
        {
          text: "The record changed since it was shown, and nothing was done. Look at it again.",
          tone: "warn",
        },
        { label: "candidate", text: title },
        { label: "record", text: path, tone: "accent" },
      ],
    },
  };
}

function actOf(decision: Decision, candidate: CandidateView, root: string): Act {
  const { capability, what, done, schema, input } = decision;
  return {
    what,
    capability,
    input: input(candidate),
    outcome: written(schema, ({ state, path, notes = [] }) => {
      if (state === "changed") return changedSince(candidate, root);
      const text = [`${done}: ${candidate.title}; wrote ${path}`, ...notes].join("; ");
      return { tone: notes.length > 0 ? "warn" : "good", text };
    }),
  };
}

/** What the capability would write, word for word: asked of the capability itself. */
async function previewOf(
  desk: Desk,
  { root, candidates: [candidate] }: Chosen,
  { capability, schema, input }: Decision,
): Promise<readonly Fact[] | undefined> {
  const asked = { ...input(candidate), dry_run: true };
  const value = await runWork(desk, { what: "composing", writes: false, root, capability, input: asked });
  const answer = schema.safeParse(value);
  if (!answer.success) return undefined;
  const { state, text } = answer.data;
  if (state === "changed") return [{ text: "The record changed since it was shown.", tone: "warn" }];
  return text === undefined ? [] : [{ text: "" }, { text: text.trim() }];
}

/** Shows what a decision would write: of one candidate the whole record, as it would be. */
async function reviewDecision(
  desk: Desk,
  chosen: Chosen,
  decision: Decision,
  proposal: Pick<Proposal, "title" | "verb" | "says">,
): Promise<Review> {
  const { root, candidates } = chosen;
  const whole = candidates.length === 1 ? await previewOf(desk, chosen, decision) : [];
  if (whole === undefined) return undefined;
  return {
    ...proposal,
    root,
    says: [...proposal.says, ...whole],
    acts: candidates.map((candidate) => actOf(decision, candidate, root)),
  };
}

function draftOf({ root, candidates }: Chosen, verb: string): string {
  return [root, verb, ...candidates.map(({ id }) => id)].join("\0");
}

function nameOf({ candidates }: Chosen): string {
  return candidates.length === 1 ? "this candidate" : `these ${candidates.length} candidates`;
}

const CLASSES: FormField = {
  id: "class",
  label: "Class",
  kind: "choice",
  options: [
    { value: KEEP_CLASS, says: "what the deriver said" },
    ...KnowledgeClass.options.map((value) => ({ value, says: "" })),
  ],
};

/** Lets a person make candidates verified: what by, and as what. */
export function promoteCandidates(desk: Desk): void {
  const chosen = chosenCandidates(desk);
  if (chosen === undefined) return;
  openForm(desk, {
    draft: draftOf(chosen, "promote"),
    title: `Promote ${nameOf(chosen)}`,
    root: chosen.root,
    intro: candidateFacts(chosen),
    fields: [{ id: "evidence", label: "What you verified it by", kind: "text" }, CLASSES],
    initial: {},
    review: (values) => {
      const { evidence = "", class: kind = KEEP_CLASS } = values;
      if (evidence.trim() === "") return "say what it was verified by";
      return reviewDecision(desk, chosen, promotion(values), {
        title: `Promote ${nameOf(chosen)}?`,
        verb: "promote",
        says: [
          { label: "writes", text: "the verified record, among the curated ones", tone: "accent" },
          { label: "", text: "knowledge.promoted in the ledger", tone: "accent" },
          { label: "removes", text: "the candidate", tone: "warn" },
          ...candidateFacts(chosen),
          { label: "class", text: kind },
          { label: "evidence", text: evidence.trim().replaceAll("\n", " ") },
        ],
      });
    },
  });
}

/** Lets a person say that candidates are not so, and why. */
export function rejectCandidates(desk: Desk): void {
  const chosen = chosenCandidates(desk);
  if (chosen === undefined) return;
  openForm(desk, {
    draft: draftOf(chosen, "reject"),
    title: `Reject ${nameOf(chosen)}`,
    root: chosen.root,
    intro: candidateFacts(chosen),
    fields: [
      { id: "reason", label: "Why it is not so", kind: "line" },
      { id: "by", label: "Said better by", kind: "line", hint: "the id of another record; may be left out" },
    ],
    initial: {},
    review: (values) => {
      const { reason = "", by = "" } = values;
      if (reason.trim() === "") return "say why it is not so";
      return reviewDecision(desk, chosen, rejection(values), {
        title: `Reject ${nameOf(chosen)}?`,
        verb: "reject",
        says: [
          {
            label: "changes",
            text: "the candidate's own file: superseded, and never derived again",
            tone: "accent",
          },
          { label: "", text: "knowledge.rejected in the ledger", tone: "accent" },
          ...candidateFacts(chosen),
          { label: "reason", text: reason },
          ...(by.trim() === "" ? [] : [{ label: "said by", text: by }]),
        ],
      });
    },
  });
}
