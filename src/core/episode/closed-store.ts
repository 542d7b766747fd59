import { basename } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { indexDivergence } from "../git/divergence-index.ts";
import { sharedRepositoryId } from "../git/remote.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { resolve, tierOf } from "../labels/resolution.ts";
import type { Candidate, Here } from "../labels/resolution.ts";
import type { Divergence } from "../labels/terms.ts";
import { ledgerRanks } from "../ledger/read.ts";
import { nameCarriesSession } from "../records/record-name.ts";
import { findRecordOfSession, listClosedSessions, readClosedSession } from "../records/session-store.ts";
import type { ClosedSessionFile } from "../records/session-store.ts";
import { recordPath } from "./seal.ts";
import type {
  SessionLatestAnswer,
  SessionListAnswer,
  SessionRecord,
  SessionShowAnswer,
} from "./session-answers.ts";
import { readRecordText } from "../records/record-file.ts";

interface ClosedCandidate extends Candidate {
  file: ClosedSessionFile;
}

/** Records carry the shared id or, older ones, the local one: both mean this repository. */
function hereOf(checkout: Checkout): Here & { knownIds: ReadonlySet<string> } {
  const repositoryId = sharedRepositoryId(checkout.repository, checkout.branch);
  return {
    repositoryId,
    worktree: checkout.worktreeId,
    branch: checkout.branch,
    knownIds: new Set([repositoryId, checkout.localRepositoryId]),
  };
}

function candidateOf(file: ClosedSessionFile, here: ReturnType<typeof hereOf>): ClosedCandidate {
  const { session, path } = file;
  const recorded = session.repository_id ?? "";
  return {
    file,
    path,
    repositoryId: here.knownIds.has(recorded) ? here.repositoryId : recorded,
    worktree: session.worktree_id ?? "",
    branch: session.branch ?? "",
    createdAt: session.created_at ?? session.closed_at,
    rank: -1,
    ...(session.task_id === undefined ? {} : { taskId: session.task_id }),
  };
}

/** Ranks are worth a look at the whole ledger only where two records share a second. */
function withRanks(checkout: Checkout, candidates: readonly ClosedCandidate[]): ClosedCandidate[] {
  const seconds = new Map<string, number>();
  for (const { createdAt } of candidates) seconds.set(createdAt, (seconds.get(createdAt) ?? 0) + 1);
  const tied = candidates.filter(({ createdAt }) => (seconds.get(createdAt) ?? 0) > 1);
  if (tied.length === 0) return [...candidates];
  const ranks = ledgerRanks(
    checkout.layout.ledger,
    tied.map(({ path }) => basename(path)),
  );
  return candidates.map((candidate) => ({ ...candidate, rank: ranks.get(basename(candidate.path)) ?? -1 }));
}

function labelsOf(
  checkout: Checkout,
  files: readonly ClosedSessionFile[],
): (file: ClosedSessionFile) => Divergence {
  const heads = files.map(({ session }) => session.head).filter((head) => head !== undefined);
  const index = indexDivergence(checkout.repository, checkout.head, heads);
  return ({ session: { branch, head } }) =>
    labelDivergence(
      { ...(branch === undefined ? {} : { branch }), ...(head === undefined ? {} : { head }) },
      checkout,
      (commit) => index.of(commit),
    ).divergence;
}

function newestFirst(a: ClosedCandidate, b: ClosedCandidate): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  if (a.rank !== b.rank) return b.rank - a.rank;
  return a.path < b.path ? 1 : -1;
}

/** The closed records of this repository and branch, or all, newest first; what is none is named (records.md 3.4). */
export function listClosed(checkout: Checkout, all: boolean): SessionListAnswer {
  const store = listClosedSessions(checkout.layout.sessions);
  const here = hereOf(checkout);
  const candidates = store.records.map((file) => candidateOf(file, here));
  const listed = all
    ? candidates
    : candidates.filter(
        ({ repositoryId, branch }) => repositoryId === here.repositoryId && branch === here.branch,
      );
  const label = labelsOf(
    checkout,
    listed.map(({ file }) => file),
  );
  return {
    schema: 1,
    sessions: withRanks(checkout, listed)
      .toSorted(newestFirst)
      .map(({ file, createdAt }) => ({
        session_id: file.session.session_id,
        created_at: createdAt,
        outcome: file.session.outcome,
        branch: file.session.branch ?? null,
        label: label(file),
        path: recordPath(checkout, file.path),
      })),
    elsewhere: candidates.length - listed.length,
    skipped: store.skipped.map(({ path, reason }) => ({ path: recordPath(checkout, path), reason })),
  };
}

function describe(checkout: Checkout, candidate: ClosedCandidate, here: Here): SessionRecord {
  const { session } = candidate.file;
  return {
    session_id: session.session_id,
    started_at: session.started_at,
    closed_at: session.closed_at,
    outcome: session.outcome,
    branch: session.branch ?? null,
    label: labelsOf(checkout, [candidate.file])(candidate.file),
    match: tierOf(candidate, here) ?? null,
    path: recordPath(checkout, candidate.path),
  };
}

function textOf(path: string): string {
  const text = readRecordText(path);
  return text.ok ? text.value : "";
}

/**
 * One closed record: its facts, how it stands to HEAD, and its text.
 *
 * @throws MajordomusError 12 when no record is of this id, 10 when its file is none that can be read.
 */
export function showClosed(checkout: Checkout, sessionId: string): SessionShowAnswer {
  const { sessions } = checkout.layout;
  const path = findRecordOfSession(sessions, sessionId);
  const record = path === undefined ? undefined : readClosedSession(path);
  if (path !== undefined && record?.ok === true) {
    const here = hereOf(checkout);
    const session = describe(checkout, candidateOf({ path, session: record.value }, here), here);
    return { schema: 1, session, text: textOf(path) };
  }
  const broken = listClosedSessions(sessions).skipped.find((file) =>
    nameCarriesSession(basename(file.path), sessionId),
  );
  throw new MajordomusError({
    code: broken === undefined ? "session.absent" : "session.unreadable",
    exit: broken === undefined ? EXIT.missing : EXIT.finding,
    subject: broken === undefined ? sessionId : recordPath(checkout, broken.path),
    message: broken === undefined ? "has no closed record here" : broken.reason,
  });
}

/** The closed record that resolves here by the two tiers, if one does (records.md 7.1). */
export function latestClosed(checkout: Checkout): SessionLatestAnswer {
  const here = hereOf(checkout);
  const candidates = listClosedSessions(checkout.layout.sessions).records.map((file) =>
    candidateOf(file, here),
  );
  const found = resolve(withRanks(checkout, candidates), here, undefined, checkout.clock.now());
  if (found === undefined) return { schema: 1, session: null };
  return { schema: 1, session: describe(checkout, found.record, here), text: textOf(found.record.path) };
}
