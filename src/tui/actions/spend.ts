import { CapsuleResumeAnswer } from "../../core/capsule/answers.ts";
import type { CapsuleValues } from "../../core/capsule/answers.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import { capsuleAge, originText } from "../model/capsule-detail.ts";
import type { Fact } from "../model/facts.ts";
import { shortPath } from "../model/names.ts";
import type { Act, Outcome, Proposal } from "../proposal.ts";
import { currentRow } from "../row-source.ts";
import { propose } from "./propose.ts";
import { runWork } from "./work.ts";
import { written } from "./written.ts";

/** Which capsule is to be spent: a file, or whichever is the newest when it is asked. */
interface Wish {
  root: string;
  name?: string;
}

/** Asks what resuming would come to; what stands in its way is said in one line. */
async function loadPreview(desk: Desk, { root, name }: Wish): Promise<CapsuleValues | undefined> {
  const input = { brief: true, ...(name === undefined ? {} : { capsule: name }) };
  const work = {
    what: "looking at the capsule",
    writes: false,
    root,
    capability: "capsule.procedure",
    input,
  };
  const value = await runWork(desk, work);
  if (value === undefined) return undefined;
  const answer = CapsuleResumeAnswer.safeParse(value);
  if (!answer.success) {
    say(desk, "bad", "capsule.procedure answered in an unknown form");
    return undefined;
  }
  const obstacle = obstacleOf(answer.data);
  if (obstacle === undefined) return answer.data.capsule ?? undefined;
  say(desk, "warn", obstacle);
  return undefined;
}

function obstacleOf({
  capsule,
  deferred,
  memory_root_error,
  unavailable,
}: CapsuleResumeAnswer): string | undefined {
  if (memory_root_error !== undefined) return memory_root_error;
  if (deferred !== undefined) return `not resumed: a conducted cycle is live (${deferred})`;
  if (capsule === null) return `there is nothing to resume: ${unavailable ?? "the capsule is gone"}`;
  if (capsule.status === "active") return undefined;
  return `${capsule.name} is ${capsule.status} already, and cannot be spent again`;
}

/** What of a capsule must be as it was shown; how old it is by now does not count. */
function shownOf(capsule: CapsuleValues): string {
  return JSON.stringify({ ...capsule, stale: undefined });
}

function factsOf(desk: Desk, capsule: CapsuleValues): Fact[] {
  const { now } = desk.store.getState();
  const { name, path, autosave, captured, created_at, stale, placeholder, problems } = capsule;
  const origin = originText({ autosave, captured });
  const age = capsuleAge(created_at, now);
  return [
    { label: "changes", text: `status of ${name}: active -> resumed`, tone: "accent" },
    { label: "file", text: shortPath(path, desk.environment["HOME"]), tone: "muted" },
    { label: "only if", text: "it is still active when it is written, by compare-and-swap", tone: "muted" },
    { label: "keeps", text: "every other byte of the file", tone: "muted" },
    { label: "then", text: "no clear resumes it any more, and its procedure is shown here", tone: "warn" },
    { text: "" },
    { label: "capsule", text: capsule.id },
    { label: "objective", text: capsule.objective },
    ...(capsule.waiting_on === "" ? [] : [{ label: "waiting on", text: capsule.waiting_on }]),
    { label: "next", text: capsule.next_valid_action },
    { label: "age", text: [age, origin].filter((part) => part !== "").join(", ") },
    ...(stale ? [{ text: "It is stale: read it as history.", tone: "warn" as const }] : []),
    ...(placeholder ? [{ text: "A placeholder: nobody has written into it.", tone: "warn" as const }] : []),
    ...problems.map((problem): Fact => ({ label: "problem", text: problem, tone: "bad" })),
  ];
}

function outcomeOf({ capsule, spent, not_spent, procedure }: CapsuleResumeAnswer): Outcome {
  const made = { title: "The procedure that was printed", text: procedure };
  if (spent && capsule !== null) {
    return {
      tone: "good",
      text: `${capsule.name} is resumed now, and was active; its file was rewritten`,
      made,
    };
  }
  const why = not_spent === undefined ? "it is gone" : `${not_spent.name}: ${not_spent.reason}`;
  return { tone: "bad", text: `not resumed, and nothing was written: ${why}` };
}

function spendAct({ name }: CapsuleValues): Act {
  return {
    what: "resuming",
    capability: "capsule.resume",
    input: { capsule: name, spend: true },
    outcome: written(CapsuleResumeAnswer, outcomeOf),
  };
}

function proposalFor(desk: Desk, wish: Wish, capsule: CapsuleValues, changed: boolean): Proposal {
  const which = wish.name === undefined ? "the newest capsule" : "this capsule";
  return {
    title: `Resume ${which} headlessly?`,
    root: wish.root,
    verb: "resume",
    says: [
      ...(changed
        ? [
            {
              text: "The capsule changed since it was shown, and nothing was done. This is how it stands now.",
              tone: "warn" as const,
            },
            { text: "" },
          ]
        : []),
      ...factsOf(desk, capsule),
    ],
    still: async () => {
      const now = await loadPreview(desk, wish);
      if (now === undefined) return undefined;
      return shownOf(now) === shownOf(capsule)
        ? { asShown: true }
        : { instead: proposalFor(desk, wish, now, true) };
    },
    acts: [spendAct(capsule)],
  };
}

async function askFor(desk: Desk, wish: Wish): Promise<void> {
  const capsule = await loadPreview(desk, wish);
  if (capsule !== undefined) propose(desk, proposalFor(desk, wish, capsule, false));
}

/** Resumes the capsule under the cursor without a session: spends it, and shows what is printed. */
export async function askToSpend(desk: Desk): Promise<void> {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  if (row?.kind === "capsule") await askFor(desk, { root: row.root, name: row.file.name });
}

/** Resumes the newest capsule of the repository that the cursor is in. */
export async function askToSpendNewest(desk: Desk): Promise<void> {
  const state = desk.store.getState();
  const root = currentRow(state, desk.rowsOf)?.root ?? state.roots[0];
  if (root !== undefined) await askFor(desk, { root });
}
