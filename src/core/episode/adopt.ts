import { newSessionId } from "../base/id.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { createRegistration, listRegistrations, readRegistration } from "../journal/registration.ts";
import type { Registration, RegistrationEntry } from "../journal/registration.ts";
import { findShadowJournal } from "../journal/shadow-journal.ts";
import { sessionKey, storedSessionId } from "../records/session-key.ts";
import { readOpenFile } from "./open-file.ts";
import { HAND } from "./request.ts";
import type { OpenRequest } from "./request.ts";

/** How often a fresh id is tried before one that repeats is taken. */
const MINTINGS = 16;

/** The id's four random digits repeat among some hundred sessions of one second: one that is known is not taken. */
function mintSessionId(checkout: Checkout): string {
  let id = newSessionId(checkout.clock, checkout.random);
  for (let more = 0; more < MINTINGS && findShadowJournal(checkout.common, id) !== undefined; more += 1) {
    id = newSessionId(checkout.clock, checkout.random);
  }
  return id;
}

/** The registration of a fresh episode: identity from git and the clock, nothing of it authored. */
export function registrationOf(
  checkout: Checkout,
  provider: string,
  rawId: string,
  key: string,
  request: OpenRequest,
): Registration {
  return {
    schema: "majordomus-registration/v1",
    session_id: mintSessionId(checkout),
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

/** An open file of this very session that has no registration: the original's, or from before ours. */
export function adoptOpenFile(
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
