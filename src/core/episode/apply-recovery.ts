import { basename, join } from "node:path";
import type { Cancellation } from "../base/cancellation.ts";
import { reasonOf } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { openCheckout } from "../checkout/open.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, publishExclusive, removeFile, writeAtomic } from "../fs/write.ts";
import { CLOSED_COPIES, replaceCopy } from "../journal/record-copies.ts";
import { readRoster } from "../journal/roster.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { missingRecords } from "../ledger/missing-records.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { parseClosedSession } from "../records/closed-session.ts";
import { openEpisodeName } from "../records/open-episode.ts";
import { closedSessionName } from "../records/record-name.ts";
import { rewriteClosedSession } from "../records/session-rewrite.ts";
import { findRecordOfSession, listClosedSessions } from "../records/session-store.ts";
import { composeRecovered } from "./compose-recovered.ts";
import { RECOVERED } from "./continuation.ts";
import { foldChanges } from "./fold-records.ts";
import { wasRecovered } from "./lines.ts";
import { ownEpisode } from "./own.ts";
import { findDuplicates } from "./plan-duplicates.ts";
import type { Recovery } from "./plan-recovery.ts";
import type { StrandedFacts } from "./recovery-facts.ts";
import type { RecoveryAction } from "./recovery-answers.ts";
import { recordPath, sealEpisode } from "./seal.ts";
import { settlePointer } from "./settle-pointer.ts";

/** What is owed to an episode before it is closed; other domains pay it. */
export interface Duties {
  /** Gives the path of what it wrote, if it wrote something. */
  handOver?: (target: Checkout, facts: StrandedFacts) => string | undefined;
  /** Gives what kept it from deriving; `session` is the episode of whoever recovers. */
  derive?: (
    target: Checkout,
    episode: { sessionId: string; lines: readonly LedgerLine[]; session: string | undefined },
  ) => string | undefined;
}

export interface Performed {
  id: string;
  /** The record that was written, relative to its work tree. */
  wrote?: string;
  message: string;
}

/**
 * Carries out a plan's actions, each alone: one that fails is reported and the rest goes on.
 *
 * @param onEach told before each action, for progress
 * @param duties what an episode still owes before it is closed: a handover, what it learned
 */
export async function applyRecovery(
  checkout: Checkout,
  recovery: Pick<Recovery, "stranded" | "roster">,
  actions: readonly RecoveryAction[],
  signal: Cancellation,
  onEach: (done: number, action: RecoveryAction) => void,
  duties: Duties = {},
): Promise<{ performed: Performed[]; failed: { id: string; reason: string }[] }> {
  const performed: Performed[] = [];
  const failed: { id: string; reason: string }[] = [];
  for (const [done, action] of actions.entries()) {
    if (signal.aborted) break;
    onEach(done, action);
    try {
      performed.push(await perform(checkout, recovery, action, duties));
    } catch (error) {
      failed.push({ id: action.id, reason: reasonOf(error) });
    }
  }
  return { performed, failed };
}

async function perform(
  checkout: Checkout,
  recovery: Pick<Recovery, "stranded" | "roster">,
  action: RecoveryAction,
  duties: Duties,
): Promise<Performed> {
  switch (action.kind) {
    case "episode":
      return recoverEpisode(checkout, recovery, action, duties);
    case "orphan":
      return settleOrphan(checkout, action);
    case "records":
      return foldRecords(checkout, action);
    case "restore":
      return restoreRecord(checkout, action);
    case "pointer":
      return repairPointer(checkout, action);
  }
}

/** What a failed duty says in the place of its record: it never keeps an episode from being closed. */
function handOver(checkout: Checkout, facts: StrandedFacts, duties: Duties): string | undefined {
  try {
    const path = duties.handOver?.(checkout, facts);
    return path && `handed over in ${path}`;
  } catch (error) {
    return `no handover could be derived: ${reasonOf(error)}`;
  }
}

async function recoverEpisode(
  checkout: Checkout,
  recovery: Pick<Recovery, "stranded" | "roster">,
  action: RecoveryAction,
  duties: Duties,
): Promise<Performed> {
  const facts = recovery.stranded.get(action.session_id ?? "");
  if (facts === undefined) throw new Error("the episode is no longer there");
  const { entry } = facts;
  // An episode of a worktree that stands is sealed in that worktree's own store and ledger.
  const target =
    entry.whereabouts.kind === "sibling" && !entry.here
      ? await openCheckout(entry.whereabouts.worktree.path, checkout)
      : checkout;
  const current =
    target === checkout
      ? entry
      : readRoster(target).entries.find((other) => other.sessionId === entry.sessionId);
  if (current === undefined) throw new Error("the episode is no longer there");
  const asking = ownEpisode(checkout, recovery.roster);
  const asker = asking !== undefined && asking.sessionId !== entry.sessionId ? asking.sessionId : undefined;
  const owed = facts.record === undefined ? handOver(target, facts, duties) : undefined;
  let underived: string | undefined;
  const sealed = sealEpisode(target, current, {
    outcome: "interrupted",
    reason: `${RECOVERED}${action.reason}`,
    deferrable: true,
    beforeClosing: (lines) => {
      underived = duties.derive?.(target, { sessionId: entry.sessionId, lines, session: asker });
    },
    branch: (entry.file ?? entry.registration?.registration)?.branch ?? target.branch,
    compose: (lines) => composeRecovered(target, facts, action, lines),
    announce: (path) =>
      wasRecovered(target, entry.sessionId)
        ? "written"
        : recordEvent(
            target,
            "session.recovered",
            { session_id: entry.sessionId, reason: action.reason, session_path: path },
            { session: asker },
          ),
  });
  return {
    id: action.id,
    wrote: recordPath(target, sealed.path),
    message: [
      sealed.written
        ? `closed ${entry.sessionId} as interrupted (${action.reason})`
        : `finished the close of ${entry.sessionId}; its record stood already`,
      ...(owed === undefined ? [] : [owed]),
      ...(underived === undefined ? [] : [underived]),
    ].join("; "),
  };
}

function settleOrphan(checkout: Checkout, action: RecoveryAction): Performed {
  if (action.writes === undefined) {
    removeFile(action.subject);
    return { id: action.id, message: `removed ${recordPath(checkout, action.subject)}: ${action.reason}` };
  }
  const text = readText(action.subject, { maximumBytes: 1024 * 1024 });
  if (!text.ok) throw new Error(text.error.message);
  const record = parseClosedSession(text.value);
  if (!record.ok) throw new Error(record.error);
  const nameFor = (): string =>
    closedSessionName({
      at: checkout.clock.now(),
      branch: record.value.branch ?? checkout.branch,
      head: record.value.head ?? checkout.head,
      random: checkout.random,
      sessionId: record.value.session_id,
    });
  const path = publishExclusive(checkout.layout.sessions, nameFor, text.value, {
    mode: 0o600,
    durable: true,
  });
  removeFile(action.subject);
  return {
    id: action.id,
    wrote: recordPath(checkout, path),
    message: `published the record of ${record.value.session_id}`,
  };
}

function foldRecords(checkout: Checkout, action: RecoveryAction): Performed {
  const store = listClosedSessions(checkout.layout.sessions);
  const duplicate = findDuplicates(store.records).find(({ sessionId }) => sessionId === action.session_id);
  if (duplicate === undefined) throw new Error("the records are no longer doubled");
  const { canonical, others } = duplicate;
  const source = readText(canonical.path, { maximumBytes: 1024 * 1024 });
  if (!source.ok) throw new Error(source.error.message);
  const rewritten = rewriteClosedSession(source.value, foldChanges(duplicate));
  if (!rewritten.ok) throw new Error(rewritten.error);
  writeAtomic(canonical.path, rewritten.value, { mode: 0o600, durable: true });
  replaceCopy(checkout, CLOSED_COPIES, basename(canonical.path), rewritten.value);
  for (const { path } of others) removeFile(path);
  const record = recordPath(checkout, canonical.path);
  recordEvent(checkout, "session.recovered", {
    session_id: duplicate.sessionId,
    reason: "duplicate records",
    session_path: record,
  });
  return {
    id: action.id,
    wrote: record,
    message: `folded ${others.length + 1} records of ${duplicate.sessionId} into one`,
  };
}

/** Gives a record back under the name that it had; one that came back meanwhile stays as it is. */
function restoreRecord(checkout: Checkout, action: RecoveryAction): Performed {
  const { sessions } = checkout.layout;
  if (findRecordOfSession(sessions, action.session_id ?? "") !== undefined) {
    throw new Error("its record is there again");
  }
  const missing = missingRecords(checkout).find(({ sessionId }) => sessionId === action.session_id);
  if (missing?.copy === undefined) throw new Error("its copy is no longer there");
  const text = readText(missing.copy, { maximumBytes: 1024 * 1024 });
  if (!text.ok) throw new Error(text.error.message);
  makeDirectory(sessions);
  const name = basename(missing.copy);
  const path = publishExclusive(sessions, () => name, text.value, { mode: 0o600, durable: true });
  const record = recordPath(checkout, path);
  return { id: action.id, wrote: record, message: `gave the record of ${action.subject} back` };
}

function repairPointer(checkout: Checkout, action: RecoveryAction): Performed {
  const key = settlePointer(checkout);
  return {
    id: action.id,
    message:
      key === undefined
        ? "removed the pointer that named nothing"
        : `aimed the pointer at ${join("sessions-open", openEpisodeName(key))}`,
  };
}
