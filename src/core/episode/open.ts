import { join } from "node:path";
import { newSessionId } from "../base/id.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { registrationName } from "../checkout/common.ts";
import { noteWorktreePath } from "../checkout/worktree-identity.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readText, stampOf } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import {
  createRegistration,
  listRegistrations,
  readRegistration,
  replaceRegistration,
  retireRegistration,
  setAside,
} from "../journal/registration.ts";
import type { Registration, RegistrationEntry } from "../journal/registration.ts";
import { heartbeat, registrationPath } from "../journal/registration-file.ts";
import { indexSession } from "../journal/session-index.ts";
import { findShadowJournal } from "../journal/shadow-journal.ts";
import { readWorktreeMap, whereaboutsOf } from "../journal/whereabouts.ts";
import { judgeWorker } from "../journal/worker.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { formatOpenEpisode, parseOpenEpisode } from "../records/open-episode.ts";
import type { OpenEpisode } from "../records/open-episode.ts";
import { aimPointer } from "../records/pointer.ts";
import { distinctSessionKey, sessionKey, storedSessionId } from "../records/session-key.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { findContinuation } from "./continuation.ts";
import type { Continuation, OpenOutcome, OpenRequest } from "./request.ts";

/** The provider of an episode that a person opened, and its raw id in one worktree. */
const HAND = "hand";

/** The lock under which one provider session's episode is opened, changed and sealed. */
export function episodeLock(checkout: Pick<Checkout, "common">, provider: string, rawId: string): string {
  makeDirectory(checkout.common.locks, 0o700);
  return join(checkout.common.locks, `episode-${registrationName(provider, rawId)}`);
}

/**
 * Opens an episode for a provider session, or keeps the one that it has: the same start a second time
 * changes nothing (decisions.md 1.1, 1.6; records.md 3.4).
 *
 * The order of writes makes every kill harmless: the registration first, by exclusive create, then the open
 * file, the pointer and the ledger; a later start puts right whatever is missing.
 *
 * @throws LockTimeout when another process holds the episode for too long.
 */
export function openEpisode(checkout: Checkout, request: OpenRequest): OpenOutcome {
  const provider = request.provider ?? HAND;
  const rawId = request.rawId ?? `${HAND}:${checkout.worktreeIdentity}`;
  const lock = episodeLock(checkout, provider, rawId);
  return withPatientLock(lock, checkout.patience, () => {
    const entry = readRegistration(checkout.common, provider, rawId);
    if (entry !== undefined) {
      const settled = settleRegistered(checkout, entry, request);
      if (settled !== undefined) return settled;
    }
    const adopted = entry === undefined ? adoptOpenFile(checkout, provider, rawId, request) : undefined;
    if (adopted !== undefined) return keepHere(checkout, adopted, request);
    const aside = entry !== undefined && !isSealedHere(checkout, entry) ? entry : undefined;
    return openFresh(checkout, provider, rawId, request, aside);
  });
}

function isSealedHere(checkout: Checkout, { registration }: RegistrationEntry): boolean {
  return findRecordOfSession(checkout.layout.sessions, registration.session_id) !== undefined;
}

/** What a provider session that is registered already gets; undefined when it gets a new episode. */
function settleRegistered(
  checkout: Checkout,
  entry: RegistrationEntry,
  request: OpenRequest,
): OpenOutcome | undefined {
  const { registration } = entry;
  const whereabouts = whereaboutsOf(checkout, registration, readWorktreeMap(checkout));
  if (whereabouts.kind === "here") {
    if (!isSealedHere(checkout, entry)) return keepHere(checkout, entry, request);
    retireRegistration(checkout.common, entry, {
      at: formatTimestamp(checkout.clock.now()),
      reason: "sealed without us",
    });
    return undefined;
  }
  const worker = judgeWorker(registration);
  const same = request.process !== undefined && sameIdentity(registration.process, request.process);
  if (whereabouts.kind === "sibling" && same) {
    return {
      state: "kept",
      sessionId: registration.session_id,
      startedAt: registration.started_at,
      key: registration.key,
      deferred: false,
      notes: [],
      elsewhere: whereabouts.worktree.path,
    };
  }
  if (whereabouts.kind === "sibling" && worker.state !== "gone") {
    return {
      state: "refused",
      reason: `this provider session is open in ${whereabouts.worktree.path} (${worker.note})`,
    };
  }
  setAside(checkout.common, entry);
  return undefined;
}

function sameIdentity(a: Registration["process"], b: NonNullable<OpenRequest["process"]>): boolean {
  return a !== undefined && a.pid === b.pid && a.started === b.started && a.boot === b.boot;
}

/** An open file of this very session that has no registration: the original's, or from before ours. */
function adoptOpenFile(
  checkout: Checkout,
  provider: string,
  rawId: string,
  request: OpenRequest,
): RegistrationEntry | undefined {
  const key = sessionKey(request.rawId ?? "");
  const file = readOpenFile(checkout, key);
  if (file === undefined || file.worktree !== checkout.root) return undefined;
  if ((file.provider ?? HAND) !== provider) return undefined;
  if (request.rawId !== undefined && file.provider_session !== storedSessionId(request.rawId))
    return undefined;
  const known = listRegistrations(checkout.common).entries;
  // Two raw ids may be stored alike: a file that another session is registered for is that session's.
  if (known.some(({ registration }) => registration.session_id === file.session_id)) return undefined;
  const registration: Registration = {
    ...registrationOf(checkout, provider, rawId, key, request),
    session_id: file.session_id,
    branch: file.branch,
    start_head: file.start_head,
    start_working_tree: file.start_working_tree,
    started_at: file.started_at,
    owner: file.owner,
  };
  createRegistration(checkout.common, registration);
  return readRegistration(checkout.common, provider, rawId);
}

function readOpenFile(checkout: Checkout, key: string): OpenEpisode | undefined {
  const text = readText(join(checkout.layout.sessionsOpen, `${key}.yaml`), { maximumBytes: 64 * 1024 });
  if (!text.ok) return undefined;
  const parsed = parseOpenEpisode(text.value);
  return parsed.ok ? parsed.value : undefined;
}

function keepHere(checkout: Checkout, entry: RegistrationEntry, request: OpenRequest): OpenOutcome {
  const { registration } = entry;
  const moved = registration.worktree !== checkout.root;
  const renewed: Registration = {
    ...registration,
    worktree: checkout.root,
    ...(request.process === undefined ? {} : { process: request.process }),
  };
  delete renewed.ended;
  delete renewed.end_reason;
  if (JSON.stringify(renewed) !== JSON.stringify(registration)) {
    replaceRegistration(
      registrationPath(checkout.common, registration.provider, registration.raw_id),
      renewed,
    );
  }
  heartbeat(checkout.common, registration.provider, registration.raw_id, checkout.clock.now());
  const path = join(checkout.layout.sessionsOpen, `${registration.key}.yaml`);
  if (moved || stampOf(path) === undefined) writeOpenFile(checkout, renewed, request);
  if (request.movesPointer) aimPointer(checkout.layout, registration.key);
  indexSession(
    checkout.environment,
    registration.provider,
    registration.raw_id,
    checkout.repository.commonDir,
  );
  const announced = findShadowJournal(checkout.common, registration.session_id) !== undefined;
  const deferred = announced ? false : announce(checkout, renewed, request);
  return {
    state: "kept",
    sessionId: registration.session_id,
    startedAt: registration.started_at,
    key: registration.key,
    ...(registration.continues === undefined ? {} : { continues: registration.continues }),
    deferred,
    notes: moved ? [`the worktree moved here from ${registration.worktree}`] : [],
  };
}

function openFresh(
  checkout: Checkout,
  provider: string,
  rawId: string,
  request: OpenRequest,
  aside: RegistrationEntry | undefined,
): OpenOutcome {
  const continues: Continuation | undefined =
    aside === undefined
      ? findContinuation(checkout, provider, rawId, request)
      : { session_id: aside.registration.session_id, evidence: "the same provider session id" };
  const key = chooseKey(checkout, provider, request);
  const replaced = readOpenFile(checkout, key);
  const registration: Registration = {
    ...registrationOf(checkout, provider, rawId, key, request),
    ...(continues === undefined ? {} : { continues }),
  };
  createRegistration(checkout.common, registration);
  heartbeat(checkout.common, provider, rawId, checkout.clock.now());
  noteWorktreePath(checkout.repository.gitDir, checkout.root);
  writeOpenFile(checkout, registration, request);
  if (request.movesPointer) aimPointer(checkout.layout, key);
  indexSession(checkout.environment, provider, rawId, checkout.repository.commonDir);
  const deferred = announce(checkout, registration, request);
  return {
    state: "opened",
    sessionId: registration.session_id,
    startedAt: registration.started_at,
    key,
    ...(continues === undefined ? {} : { continues }),
    deferred,
    notes:
      replaced === undefined
        ? []
        : [`replaced the open file of ${replaced.session_id}, which is of ${replaced.worktree}`],
  };
}

function registrationOf(
  checkout: Checkout,
  provider: string,
  rawId: string,
  key: string,
  request: OpenRequest,
): Registration {
  return {
    schema: "majordomus-registration/v1",
    session_id: newSessionId(checkout.clock, checkout.random),
    provider,
    raw_id: rawId,
    key,
    worktree_id: checkout.worktreeIdentity,
    worktree: checkout.root,
    repository_id: checkout.localRepositoryId,
    branch: checkout.branch,
    start_head: headText(checkout),
    start_working_tree: request.workingTree,
    started_at: formatTimestamp(checkout.clock.now()),
    owner: request.owner ?? checkout.owner,
    ...(request.worker === undefined ? {} : { worker: request.worker }),
    ...(request.process === undefined ? {} : { process: request.process }),
  };
}

/** The plain key, unless an episode of another provider session has it in this store (decisions.md 1.9). */
function chooseKey(checkout: Checkout, provider: string, request: OpenRequest): string {
  if (request.rawId === undefined) return sessionKey("");
  const plain = sessionKey(request.rawId);
  const taken = listRegistrations(checkout.common).entries.some(
    ({ registration }) =>
      registration.key === plain &&
      registration.worktree_id === checkout.worktreeIdentity &&
      (registration.raw_id !== request.rawId || registration.provider !== provider),
  );
  const file = readOpenFile(checkout, plain);
  const foreignRaw =
    file !== undefined &&
    file.worktree === checkout.root &&
    (file.provider_session !== storedSessionId(request.rawId) || file.provider !== request.provider);
  return taken || foreignRaw ? distinctSessionKey(request.rawId) : plain;
}

function writeOpenFile(checkout: Checkout, registration: Registration, request: OpenRequest): void {
  const stored = request.rawId === undefined ? undefined : storedSessionId(request.rawId);
  makeDirectory(checkout.layout.sessionsOpen);
  const episode: OpenEpisode = {
    session_id: registration.session_id,
    started_at: registration.started_at,
    owner: registration.owner,
    ...(registration.worker === undefined ? {} : { worker: registration.worker }),
    ...(request.provider === undefined ? {} : { provider: request.provider }),
    ...(stored === undefined ? {} : { provider_session: stored }),
    repository_id: registration.repository_id,
    worktree: registration.worktree,
    branch: registration.branch,
    start_head: registration.start_head,
    start_working_tree: registration.start_working_tree,
  };
  writeAtomic(join(checkout.layout.sessionsOpen, `${registration.key}.yaml`), formatOpenEpisode(episode), {
    mode: 0o600,
  });
}

function announce(checkout: Checkout, registration: Registration, request: OpenRequest): boolean {
  const recorded = recordEvent(
    checkout,
    "session.started",
    {
      owner: registration.owner,
      ...(registration.worker === undefined ? {} : { worker: registration.worker }),
      ...(registration.continues === undefined ? {} : { continues: registration.continues.session_id }),
    },
    { session: registration.session_id, deferrable: request.deferrable },
  );
  return recorded === "deferred";
}
