import { PlanAnswer, ResumeAnswer } from "../../core/continuity/plan-answer.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import type { Fact } from "../model/facts.ts";
import { counted } from "../model/names.ts";
import { continuationLines, isReady, planFacts } from "../model/plan-facts.ts";
import type { TravellingRecord } from "../model/rows.ts";
import type { Proposal } from "../proposal.ts";
import { currentRow } from "../row-source.ts";
import { propose } from "./propose.ts";
import { runWork } from "./work.ts";
import { written } from "./written.ts";

/** Columns that a panel's borders and margin take. */
const EDGE_COLUMNS = 4;

interface Chosen {
  root: string;
  record: TravellingRecord;
}

/** The travelling record under the cursor. */
export function travelUnderCursor(desk: Desk): Chosen | undefined {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  return row?.kind === "travel" ? { root: row.root, record: row.record } : undefined;
}

async function loadPlan(desk: Desk, { root, record }: Chosen): Promise<PlanAnswer | undefined> {
  const input = { record: record.id };
  const work = { what: "planning", writes: false, root, capability: "continuity.plan", input };
  const value = await runWork(desk, work);
  if (value === undefined) return undefined;
  const plan = PlanAnswer.safeParse(value);
  if (plan.success) return plan.data;
  say(desk, "bad", "continuity.plan answered in an unknown form");
  return undefined;
}

function factsOf(desk: Desk, { record }: Chosen, plan: PlanAnswer): Fact[] {
  const width = desk.store.getState().size.columns - EDGE_COLUMNS;
  const ways = continuationLines(plan, width);
  return [
    { label: "record", text: `${record.device.label}, ${record.published_at}, ${record.id}` },
    ...planFacts(plan),
    ...(ways.length === 0
      ? []
      : [
          { text: "" },
          { text: "gone on with in several ways", tone: "warn" as const },
          { text: ways.join("\n") },
        ]),
  ];
}

function reading(desk: Desk, chosen: Chosen, plan: PlanAnswer, title: string, note?: string): Proposal {
  return {
    title,
    root: chosen.root,
    verb: "",
    acts: [],
    says: [
      ...(note === undefined ? [] : [{ text: note, tone: "warn" as const }, { text: "" }]),
      ...factsOf(desk, chosen, plan),
    ],
  };
}

/** Shows what resuming the record would do, with every reason. */
export async function showPlan(desk: Desk): Promise<void> {
  const chosen = travelUnderCursor(desk);
  const plan = chosen && (await loadPlan(desk, chosen));
  if (chosen !== undefined && plan !== undefined) propose(desk, reading(desk, chosen, plan, "The plan"));
}

function resumption(desk: Desk, chosen: Chosen, plan: PlanAnswer, changed: boolean): Proposal {
  const { root, record } = chosen;
  const shown = JSON.stringify(plan);
  return {
    title: "Resume this here?",
    root,
    verb: "resume",
    says: [
      ...(changed
        ? [
            {
              text: "The plan changed since it was shown, and nothing was done. This is the plan now.",
              tone: "warn" as const,
            },
            { text: "" },
          ]
        : []),
      { label: "writes", text: "its handover, its decisions, and where this branch stands", tone: "accent" },
      { label: "leaves", text: "branch, index and work tree as they are", tone: "muted" },
      { text: "" },
      ...factsOf(desk, chosen, plan),
    ],
    still: async () => {
      const now = await loadPlan(desk, chosen);
      if (now === undefined) return undefined;
      return JSON.stringify(now) === shown
        ? { asShown: true }
        : { instead: proposalFor(desk, chosen, now, true) };
    },
    acts: [
      {
        what: "resuming",
        capability: "continuity.resume",
        input: { record: record.id },
        outcome: written(
          ResumeAnswer,
          ({ resumed, plan: after, handover, decisions_carried, notes = [] }) => {
            if (!resumed) {
              const note = "It could not be resumed any more, and nothing was written.";
              return { again: reading(desk, chosen, after, "Not resumed", note) };
            }
            const wrote = handover === undefined ? "" : `; wrote ${handover}`;
            const carried = `${counted(decisions_carried, "decision")} carried`;
            const text = [`resumed from ${record.device.label}${wrote}; ${carried}`, ...notes].join("; ");
            return { tone: notes.length > 0 ? "warn" : "good", text };
          },
        ),
      },
    ],
  };
}

function proposalFor(desk: Desk, chosen: Chosen, plan: PlanAnswer, changed: boolean): Proposal {
  if (isReady(plan)) return resumption(desk, chosen, plan, changed);
  return reading(desk, chosen, plan, "It cannot be resumed here as it is");
}

/** Resumes the record under the cursor, behind its plan. */
export async function askToResume(desk: Desk): Promise<void> {
  const chosen = travelUnderCursor(desk);
  const plan = chosen && (await loadPlan(desk, chosen));
  if (chosen !== undefined && plan !== undefined) propose(desk, proposalFor(desk, chosen, plan, false));
}
