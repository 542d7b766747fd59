import type { Checkout } from "../checkout/checkout.ts";
import { readRoster } from "../journal/roster.ts";
import { judgeLease, serverLine } from "../serving/standing.ts";
import { BRIEFING_BYTES, prepareBriefing } from "./brief.ts";
import { instantOf } from "./instant.ts";

/** The server that a start would find; the one that it would start by itself is none yet. */
function serverHere(checkout: Checkout): string | undefined {
  const judged = judgeLease(checkout);
  return judged.standing === "ready" || judged.standing === "starting" ? serverLine(judged) : undefined;
}

/**
 * What a session that started here now would be told, word for word but for its own id and a server of its
 * own; writes nothing.
 *
 * @returns empty where the policy wants no briefing.
 */
export function previewBriefing(checkout: Checkout): string {
  if (!checkout.settings.policy.session.briefing_on_start) return "";
  const request = {
    opened: undefined,
    withoutEpisode: undefined,
    server: serverHere(checkout),
    notices: [],
    roster: readRoster(checkout),
  };
  return prepareBriefing(checkout, request, instantOf(checkout))(BRIEFING_BYTES);
}
