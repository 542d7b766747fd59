import { EXIT, MajordomusError } from "../base/error.ts";
import type { Patience } from "../base/patience.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { CapsuleResumeAnswer } from "./answers.ts";
import { composeDeferral, deferralOf } from "./coordination.ts";
import { CapsuleDocument } from "./document.ts";
import { readCapsule } from "./files.ts";
import type { LoadedCapsule } from "./load.ts";
import { composeProcedure } from "./procedure.ts";
import { readMemory, viewCapsule, viewRejection } from "./read-model.ts";
import type { Memory } from "./read-model.ts";
import { completeResume } from "./resume.ts";
import { resumeAsked } from "./resume-named.ts";
import type { ResumeAsked } from "./resume-named.ts";
import { giveBackUnheard } from "./spend.ts";
import type { Spending } from "./spend.ts";

export interface ResumeWish {
  capsule: string | undefined;
  spend: boolean;
  /** Tell what a clear would print, in its own words. */
  preview: boolean;
  /** Without the ledger as data, which may be long; the text has it in groups. @default false */
  brief?: boolean;
}

const NOTHING: ResumeAsked = {
  selection: { capsule: undefined, rejected: [], unavailable: "bad-memory-root" },
  loaded: undefined,
  spent: false,
};

function ask(memory: Memory, wish: ResumeWish, facts: { now: number; patience: Patience }): ResumeAsked {
  return "tree" in memory ? resumeAsked(memory.tree, wish.capsule, wish.spend, facts) : NOTHING;
}

/** The values as people see them, from the file as it stands now. */
function viewLoaded({ name, path }: LoadedCapsule, now: number): CapsuleResumeAnswer["capsule"] {
  const bytes = readCapsule(path);
  const document = bytes.ok ? CapsuleDocument.parse(bytes.value) : undefined;
  return document === undefined ? null : viewCapsule(name, path, document, now);
}

function refuseSpend(deferred: string): MajordomusError {
  return new MajordomusError({
    code: "capsule.deferred",
    exit: EXIT.refused,
    subject: "AIGENT_COORDINATION_STATE",
    message: `a conducted cycle is live (${deferred}), so that no capsule is spent`,
    remedy: "wait for its end, or read the procedure without spending",
  });
}

/**
 * The resume procedure for whoever asks in this checkout (capsules.md 5): as a clear would print it, or for the middle
 * of a session. The asking process's own provider session is the only authority for who that is.
 *
 * @param ifUnheard is told what was spent, to be given back when the answer does not arrive.
 * @throws MajordomusError as `resumeAsked` does for a named capsule; 15 for a spend while a coordinator is live.
 */
export function resumeHere(
  checkout: Checkout,
  wish: ResumeWish,
  ifUnheard?: (spending: Spending) => void,
): CapsuleResumeAnswer {
  const now = checkout.clock.now();
  const deferred = deferralOf(checkout);
  if (wish.spend && deferred !== undefined) throw refuseSpend(deferred);
  const memory = readMemory(checkout);
  const asked = ask(memory, wish, { now, patience: checkout.patience });
  try {
    const answer = answerOf(checkout, memory, asked, { wish, now, deferred });
    if (asked.spending !== undefined) ifUnheard?.(asked.spending);
    return answer;
  } catch (error) {
    // Whoever asked gets the error, and no procedure.
    if ("tree" in memory && asked.spending !== undefined)
      giveBackUnheard(memory.tree, checkout, asked.spending);
    throw error;
  }
}

function answerOf(
  checkout: Checkout,
  memory: Memory,
  asked: ResumeAsked,
  { wish, now, deferred }: { wish: ResumeWish; now: number; deferred: string | undefined },
): CapsuleResumeAnswer {
  const { selection, loaded, notSpent, spent, status } = asked;
  const facts = completeResume(checkout, memory, {
    now,
    occasion: wish.preview ? "clear" : "asked",
    loaded,
    spent: wish.preview ? loaded !== undefined : spent,
    rejected: selection.rejected,
    ...(loaded === undefined && selection.unavailable !== undefined
      ? { unavailable: selection.unavailable }
      : {}),
    ...(notSpent === undefined ? {} : { notSpent }),
    ...(status === undefined ? {} : { status }),
    session: checkout.providerSession,
  });
  const { warning } = facts.acknowledgement;
  return {
    schema: 1,
    capsule: loaded === undefined ? null : viewLoaded(loaded, now),
    degraded: loaded === undefined,
    spent,
    ...(notSpent === undefined ? {} : { not_spent: notSpent }),
    ...(facts.unavailable === undefined ? {} : { unavailable: facts.unavailable }),
    ...(wish.brief === true ? {} : { rejected: selection.rejected.map(viewRejection) }),
    boot_session: facts.bootSession,
    extension: { ...facts.extension, warning },
    ...(deferred === undefined ? {} : { deferred }),
    ...("fault" in memory ? { memory_root_error: memory.fault } : {}),
    ...(warning === null ? {} : { extension_warning: warning }),
    procedure:
      deferred !== undefined && wish.preview && wish.capsule === undefined
        ? composeDeferral(deferred, "clear")
        : composeProcedure(facts),
  };
}
