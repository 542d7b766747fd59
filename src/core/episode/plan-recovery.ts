import { EXIT, MajordomusError } from "../base/error.ts";
import { sha256Hex } from "../base/id.ts";
import { parseDuration } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readRoster } from "../journal/roster.ts";
import type { Roster } from "../journal/roster.ts";
import { takeBalance } from "../ledger/balance.ts";
import { missingRecords } from "../ledger/missing-records.ts";
import { listClosedSessions } from "../records/session-store.ts";
import { planMissing } from "./plan-missing.ts";
import { planDuplicates } from "./plan-duplicates.ts";
import { planLitter } from "./plan-litter.ts";
import { planLocks } from "./plan-locks.ts";
import { planOrphans } from "./plan-orphans.ts";
import { planStranded } from "./plan-stranded.ts";
import type { Skipped } from "./plan-stranded.ts";
import type {
  RecoverPlanAnswer,
  RecoverPlanInput,
  RecoveryAction,
  RecoverySubject,
} from "./recovery-answers.ts";
import { gatherStranded } from "./recovery-facts.ts";
import type { StrandedFacts } from "./recovery-facts.ts";

/** A plan with the evidence that it was made from, so that applying it looks at nothing twice. */
export interface Recovery {
  answer: RecoverPlanAnswer;
  stranded: ReadonlyMap<string, StrandedFacts>;
  roster: Roster;
}

type Part = { actions: RecoveryAction[]; skipped: Skipped[] };

/** Orphans come first: a real half-published record is better than one composed in its place (records.md 13.1). */
const PARTS: Readonly<Record<RecoverySubject, readonly ("orphans" | "episodes" | "records")[]>> = {
  status: ["orphans", "episodes", "records"],
  all: ["orphans", "episodes", "records"],
  orphans: ["orphans"],
  episodes: ["episodes"],
  records: ["records"],
};

/**
 * How long an episode without proof must have been silent, in milliseconds.
 *
 * @throws MajordomusError 2 for a bad duration, 10 where neither the command nor the policy names one.
 */
function threshold(checkout: Checkout, olderThan: string | undefined): number {
  if (olderThan !== undefined) {
    const given = parseDuration(olderThan);
    if (given !== undefined) return given;
    throw new MajordomusError({
      code: "recover.duration",
      exit: EXIT.usage,
      subject: olderThan,
      message: "is not a duration",
      remedy: "write it as 90s, 15m or 12h",
    });
  }
  const declared = parseDuration(checkout.settings.policy.session.stranded_after ?? "");
  if (declared !== undefined) return declared;
  throw new MajordomusError({
    code: "policy.stranded_after",
    exit: EXIT.finding,
    subject: "session.stranded_after",
    message: "is not in the policy, and recovery has no fallback for it",
    remedy: "add `stranded_after: 12h` under `session`, or give --older-than",
  });
}

function pointerPart(checkout: Checkout, roster: Roster): Part {
  const { pointer } = roster;
  if (pointer.layout !== "pointer" || pointer.resolves) return { actions: [], skipped: [] };
  return {
    actions: [
      {
        id: "pointer",
        kind: "pointer",
        subject: checkout.layout.pointer,
        reason: "pointer names nothing",
        evidence: [pointer.note],
        removes: [checkout.layout.pointer],
      },
    ],
    skipped: [],
  };
}

function together(first: Part, second: Part): Part {
  return { actions: [...first.actions, ...second.actions], skipped: [...first.skipped, ...second.skipped] };
}

/**
 * Plans what recovery would do; reads, never writes.
 *
 * @param others directories of other stores, beside those of the checkout and of its repository: of their locks, and
 *   all in which they write
 */
export function planRecovery(
  checkout: Checkout,
  input: RecoverPlanInput,
  others: { locks: readonly string[]; written: readonly string[] } = { locks: [], written: [] },
): Recovery {
  const limit = threshold(checkout, input.older_than);
  const roster = readRoster(checkout);
  const now = checkout.clock.now();
  const stranded = gatherStranded(checkout, roster);
  const subject = input.subject ?? "status";
  const parts: Part[] = PARTS[subject].map((part) => {
    if (part === "orphans") {
      const orphans = together(planOrphans(checkout, limit), planLitter(checkout, limit, others.written));
      return together(
        orphans,
        planLocks(checkout, [checkout.layout.locks, checkout.common.locks, ...others.locks], limit),
      );
    }
    if (part === "records") {
      const doubled = planDuplicates(listClosedSessions(checkout.layout.sessions).records);
      return together(doubled, planMissing(missingRecords(checkout)));
    }
    const plan = planStranded(stranded, now, limit);
    const unread = roster.unreadable.map(({ path, reason }) => ({ subject: path, reason }));
    return together(plan, { actions: [], skipped: unread });
  });
  if (subject === "status" || subject === "all") parts.push(pointerPart(checkout, roster));
  const actions = parts.flatMap((part) => part.actions);
  const skipped = parts.flatMap((part) => part.skipped);
  const evidence = actions.map(({ id, reason, kept, lost, writes, removes }) => [
    id,
    reason,
    kept,
    lost,
    writes,
    removes,
  ]);
  return {
    answer: {
      digest: sha256Hex(JSON.stringify(evidence)).slice(0, 16),
      actions,
      skipped,
      balance: takeBalance(checkout, roster),
    },
    stranded: new Map(stranded.map((facts) => [facts.entry.sessionId, facts])),
    roster,
  };
}
