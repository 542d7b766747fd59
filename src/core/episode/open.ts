import { reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { layoutOf } from "../checkout/layout.ts";
import { noteWorktreePath } from "../checkout/worktree-identity.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import {
  createRegistration,
  readRegistration,
  replaceRegistration,
  retireRegistration,
  setAside,
  setDamagedAside,
} from "../journal/registration.ts";
import type { Registration, RegistrationEntry } from "../journal/registration.ts";
import { heartbeat, registrationPath } from "../journal/registration-file.ts";
import { indexSession } from "../journal/session-index.ts";
import { readWorktreeMap, standingWorktree, whereaboutsOf } from "../journal/whereabouts.ts";
import { judgeWorker } from "../journal/worker.ts";
import { aimPointer } from "../records/pointer.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { adoptOpenFile, registrationOf } from "./adopt.ts";
import { announceOpening, ensureAnnounced } from "./announce.ts";
import { findContinuation } from "./continuation.ts";
import { episodeLock } from "./episode-lock.ts";
import { finishStandingClose } from "./finish-close.ts";
import { chooseKey, placeOpenFile, readOpenFile } from "./open-file.ts";
import { HAND } from "./request.ts";
import type { OpenOutcome, OpenRequest } from "./request.ts";

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
    if (entry === undefined) setDamagedAside(checkout.common, provider, rawId);
    const adopted = entry === undefined ? adoptOpenFile(checkout, provider, rawId, request) : undefined;
    if (adopted !== undefined) return keepHere(checkout, adopted, request);
    return openFresh(checkout, provider, rawId, request);
  });
}

function isSealedIn(checkout: Checkout, root: string, { registration }: RegistrationEntry): boolean {
  const { sessions } = layoutOf(root, checkout.settings.manifest);
  return findRecordOfSession(sessions, registration.session_id) !== undefined;
}

/** What a provider session that is registered already gets; undefined when it gets a new episode. */
function settleRegistered(
  checkout: Checkout,
  entry: RegistrationEntry,
  request: OpenRequest,
): OpenOutcome | undefined {
  const { registration } = entry;
  const whereabouts = whereaboutsOf(checkout, registration, readWorktreeMap(checkout));
  const elsewhere = standingWorktree(whereabouts);
  if (whereabouts.kind === "here") {
    const record = findRecordOfSession(checkout.layout.sessions, registration.session_id);
    if (record === undefined) return keepHere(checkout, entry, request);
    finishStandingClose(checkout, { sessionId: registration.session_id, registration: entry }, record);
    return undefined;
  }
  if (elsewhere !== undefined && isSealedIn(checkout, elsewhere, entry)) {
    const at = formatTimestamp(checkout.clock.now());
    retireRegistration(checkout.common, entry, { at, reason: "its record stood already" });
    return undefined;
  }
  const worker = judgeWorker(registration);
  const same = request.process !== undefined && sameIdentity(registration.process, request.process);
  if (elsewhere !== undefined && same) {
    return {
      state: "kept",
      sessionId: registration.session_id,
      startedAt: registration.started_at,
      key: registration.key,
      deferred: false,
      notes: [],
      elsewhere,
    };
  }
  if (elsewhere !== undefined && worker.state !== "gone") {
    return {
      state: "refused",
      reason: `this provider session is open in ${elsewhere} (${worker.note})`,
    };
  }
  setAside(checkout.common, entry);
  return undefined;
}

function sameIdentity(a: Registration["process"], b: NonNullable<OpenRequest["process"]>): boolean {
  return a !== undefined && a.pid === b.pid && a.started === b.started && a.boot === b.boot;
}

function keepHere(checkout: Checkout, entry: RegistrationEntry, request: OpenRequest): OpenOutcome {
  const { registration } = entry;
  const moved = registration.worktree !== checkout.root;
  const renewed: Registration = {
    ...registration,
    worktree: checkout.root,
    repository_id: checkout.localRepositoryId,
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
  const standing = readOpenFile(checkout, registration.key);
  const isOurs = !moved && standing?.session_id === registration.session_id;
  const { key } = isOurs ? registration : placeOpenFile(checkout, renewed, request);
  const misaimed = request.movesPointer ? aim(checkout, key) : [];
  indexSession(
    checkout.environment,
    registration.provider,
    registration.raw_id,
    checkout.repository.commonDir,
  );
  const deferred = ensureAnnounced(checkout, renewed, request);
  return {
    state: "kept",
    sessionId: registration.session_id,
    startedAt: registration.started_at,
    key,
    ...(registration.continues === undefined ? {} : { continues: registration.continues }),
    deferred,
    notes: [...(moved ? [`the worktree moved here from ${registration.worktree}`] : []), ...misaimed],
  };
}

function openFresh(checkout: Checkout, provider: string, rawId: string, request: OpenRequest): OpenOutcome {
  const continues = findContinuation(checkout, provider, rawId, request);
  const wanted = chooseKey(checkout, provider, request);
  const replaced = readOpenFile(checkout, wanted);
  const fresh: Registration = {
    ...registrationOf(checkout, provider, rawId, wanted, request),
    ...(continues === undefined ? {} : { continues }),
  };
  createRegistration(checkout.common, fresh);
  heartbeat(checkout.common, provider, rawId, checkout.clock.now());
  noteWorktreePath(checkout.repository.gitDir, checkout.root);
  const registration = placeOpenFile(checkout, fresh, request);
  const { key } = registration;
  const misaimed = request.movesPointer ? aim(checkout, key) : [];
  indexSession(checkout.environment, provider, rawId, checkout.repository.commonDir);
  const deferred = announceOpening(checkout, registration, request);
  return {
    state: "opened",
    sessionId: registration.session_id,
    startedAt: registration.started_at,
    key,
    ...(continues === undefined ? {} : { continues }),
    deferred,
    notes: [
      ...(replaced === undefined || key !== wanted
        ? []
        : [`replaced the open file of ${replaced.session_id}, which is of ${replaced.worktree}`]),
      ...misaimed,
    ],
  };
}

/** The pointer is a convenience: an episode is open whether or not it can be aimed. */
function aim(checkout: Checkout, key: string): string[] {
  try {
    aimPointer(checkout.layout, key);
    return [];
  } catch (error) {
    return [`the pointer could not be aimed: ${reasonOf(error)}`];
  }
}
