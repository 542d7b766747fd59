import {
  CapsuleResumeAnswer,
  CapsuleSettleAnswer,
  CapsuleValidateAnswer,
} from "../../core/capsule/answers.ts";
import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import type { Fact } from "../model/facts.ts";
import { LEVEL_TONE } from "../model/labels.ts";
import { counted } from "../model/names.ts";
import type { RowOf } from "../model/rows.ts";
import type { Act } from "../proposal.ts";
import { currentRow } from "../row-source.ts";
import { chosenRows } from "./chosen-rows.ts";
import { propose } from "./propose.ts";
import { runWork } from "./work.ts";
import { written } from "./written.ts";

function chosenCapsules(desk: Desk): readonly RowOf<"capsule">[] {
  return chosenRows(desk).flatMap((row) => (row.kind === "capsule" ? [row] : []));
}

/** Shows what the validator says of the chosen capsules. */
export async function validateCapsules(desk: Desk): Promise<void> {
  const rows = chosenCapsules(desk);
  const [first] = rows;
  if (first === undefined) return;
  const input = { capsules: rows.map(({ file }) => file.name) };
  const work = { what: "validating", writes: false, root: first.root, capability: "capsule.validate", input };
  const value = await runWork(desk, work);
  const answer = CapsuleValidateAnswer.safeParse(value);
  if (!answer.success) return;
  const { findings } = answer.data;
  const failed = findings.filter(({ level }) => level === "FAIL").length;
  propose(desk, {
    title: failed === 0 ? "Valid" : `${counted(failed, "fault")} found`,
    root: first.root,
    verb: "",
    acts: [],
    says: findings.map(({ level, subject, message }): Fact => ({
      label: level,
      text: `${subject}: ${message}`,
      tone: LEVEL_TONE[level],
    })),
  });
}

/** Shows the resume procedure of the capsule under the cursor, exactly as it would be printed. */
export async function showProcedure(desk: Desk): Promise<void> {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  if (row?.kind !== "capsule") return;
  const { root, file } = row;
  const input = { capsule: file.name };
  const work = {
    what: "composing the procedure",
    writes: false,
    root,
    capability: "capsule.procedure",
    input,
  };
  const value = await runWork(desk, work);
  if (value === undefined) return;
  const answer = CapsuleResumeAnswer.safeParse(value);
  if (!answer.success) return say(desk, "bad", "capsule.procedure answered in an unknown form");
  const title = answer.data.degraded
    ? "The procedure, degraded: no capsule"
    : "The procedure of this capsule";
  enterMode(desk, { kind: "reader", top: 0, reading: { title, text: answer.data.procedure } });
}

const VERBS = { resolved: "resolve", abandoned: "abandon" } as const;

function settleAct({ file }: RowOf<"capsule">, status: keyof typeof VERBS): Act {
  return {
    what: `marking as ${status}`,
    capability: `capsule.${VERBS[status]}`,
    input: { capsule: file.name },
    outcome: written(CapsuleSettleAnswer, ({ state, name, before }) => ({
      tone: state === "settled" ? "good" : "plain",
      text:
        state === "settled"
          ? `${name} is ${status} now, and was ${before}; its file was rewritten`
          : `${name} was ${status} already`,
    })),
  };
}

/** Asks before capsules are put aside. */
export function settleCapsules(desk: Desk, status: keyof typeof VERBS): void {
  const rows = chosenCapsules(desk);
  const [first] = rows;
  if (first === undefined) return;
  propose(desk, {
    title: rows.length === 1 ? `Mark as ${status}?` : `Mark these ${rows.length} as ${status}?`,
    root: first.root,
    verb: `mark as ${status}`,
    says: [
      ...rows.map(({ file }, index): Fact => ({
        label: index === 0 ? "changes" : "",
        text: `status of ${file.name}, which is ${file.status ?? "unknown"}`,
        tone: "accent",
      })),
      ...(rows.some(({ file }) => file.verdict === "selected")
        ? [{ label: "then", text: "it is not resumed any more: the next one is", tone: "warn" as const }]
        : []),
      { label: "keeps", text: "every other byte of the file", tone: "muted" },
    ],
    acts: rows.map((row) => settleAct(row, status)),
  });
}
