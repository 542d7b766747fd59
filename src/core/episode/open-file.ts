import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { listRegistrations } from "../journal/registration.ts";
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

/** Writes the open file of a registered episode; the same bytes each time (records.md 3.1). */
export function writeOpenFile(checkout: Checkout, registration: Registration, request: OpenRequest): void {
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
  writeAtomic(openFilePath(checkout, registration.key), formatOpenEpisode(episode), {
    mode: 0o600,
  });
}
