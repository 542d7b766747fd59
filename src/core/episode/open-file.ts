import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { createExclusive, makeDirectory, writeAtomic } from "../fs/write.ts";
import { listRegistrations, replaceRegistration } from "../journal/registration.ts";
import { registrationPath } from "../journal/registration-file.ts";
import type { Registration } from "../journal/registration.ts";
import { formatOpenEpisode, openEpisodeName, readOpenEpisode } from "../records/open-episode.ts";
import type { OpenEpisode } from "../records/open-episode.ts";
import { distinctSessionKey, sessionKey, storedSessionId } from "../records/session-key.ts";
import type { OpenRequest } from "./request.ts";

function openFilePath(checkout: Checkout, key: string): string {
  return join(checkout.layout.sessionsOpen, openEpisodeName(key));
}

/** The open episode that stands under a key in this store; undefined where none can be read. */
export function readOpenFile(checkout: Checkout, key: string): OpenEpisode | undefined {
  const episode = readOpenEpisode(openFilePath(checkout, key));
  return episode.ok ? episode.value : undefined;
}

/** The plain key, unless an episode of another provider session has it in this store (decisions.md 1.9). */
export function chooseKey(checkout: Checkout, provider: string, request: OpenRequest): string {
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

/**
 * Puts the open file of a registered episode in its place (records.md 3.1). When another open episode took the
 * key at the same moment, ours gets the key that no other session can have.
 *
 * @returns the registration, with the key that it has now.
 */
export function placeOpenFile(
  checkout: Checkout,
  registration: Registration,
  request: OpenRequest,
): Registration {
  const path = openFilePath(checkout, registration.key);
  const text = openFileText(registration, request);
  makeDirectory(checkout.layout.sessionsOpen);
  if (createExclusive(path, text, { mode: 0o600 })) return registration;
  if (!isTaken(checkout, registration)) {
    writeAtomic(path, text, { mode: 0o600 });
    return registration;
  }
  const { provider, raw_id } = registration;
  const renamed = { ...registration, key: distinctSessionKey(raw_id) };
  replaceRegistration(registrationPath(checkout.common, provider, raw_id), renamed);
  writeAtomic(openFilePath(checkout, renamed.key), text, { mode: 0o600 });
  return renamed;
}

/** Whether the file under this key is that of another episode which is open here. */
function isTaken(checkout: Checkout, { key, session_id }: Registration): boolean {
  const standing = readOpenFile(checkout, key)?.session_id;
  if (standing === undefined || standing === session_id) return false;
  return listRegistrations(checkout.common).entries.some(
    ({ registration }) =>
      registration.session_id === standing && registration.worktree_id === checkout.worktreeIdentity,
  );
}

function openFileText(registration: Registration, request: OpenRequest): string {
  const stored = request.rawId === undefined ? undefined : storedSessionId(request.rawId);
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
  return formatOpenEpisode(episode);
}
