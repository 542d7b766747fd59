import type { Checkout } from "../checkout/checkout.ts";
import type { Roster, RosterEntry } from "../journal/roster.ts";
import { sessionKey, storedSessionId } from "../records/session-key.ts";

function ofProviderSession(roster: Roster, rawId: string): RosterEntry | undefined {
  const here = roster.entries.filter((entry) => entry.here);
  const registered = here.find((entry) => entry.registration?.registration.raw_id === rawId);
  if (registered !== undefined) return registered;
  const key = sessionKey(rawId);
  const stored = storedSessionId(rawId);
  return here.find((entry) => entry.key === key && (entry.file?.provider_session ?? stored) === stored);
}

/** An episode that was told to end is nobody's any more, whatever still names it. */
function isOpenHere(entry: RosterEntry): boolean {
  return entry.here && entry.ended === undefined;
}

function ofId(roster: Roster, sessionId: string): RosterEntry | undefined {
  return roster.entries.find((entry) => isOpenHere(entry) && entry.sessionId === sessionId);
}

/**
 * Which open episode is mine (records.md 3.3): a provider session named on the command is strict, that one
 * or none; so is the episode that whoever asks has named; else the one of this process's environment when it is
 * open here; else the pointer's.
 */
export function ownEpisode(
  checkout: Pick<Checkout, "providerSession" | "episode">,
  roster: Roster,
  named?: string,
): RosterEntry | undefined {
  if (named !== undefined) return ofProviderSession(roster, named);
  if (checkout.episode !== undefined) return ofId(roster, checkout.episode);
  if (checkout.providerSession !== undefined) {
    const own = ofProviderSession(roster, checkout.providerSession);
    if (own !== undefined && isOpenHere(own)) return own;
  }
  const { sessionId } = roster.pointer;
  return sessionId === undefined ? undefined : ofId(roster, sessionId);
}

/** An episode of this store that another worktree opened: reported, never stamped, never closed here. */
export function isForeign(entry: RosterEntry): boolean {
  return entry.standing === "foreign" || (entry.standing === "stranded" && entry.here);
}
