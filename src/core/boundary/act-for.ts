import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { isForeign, ownEpisode } from "../episode/own.ts";
import { readRoster } from "../journal/roster.ts";

/**
 * The same checkout, asked for one of its open episodes: what is written is stamped with it, and what is asked of
 * "mine" is asked of it.
 *
 * @throws MajordomusError 12 when no episode of that id is open here.
 */
export function actFor(checkout: Checkout, episode: string): Checkout {
  const acting = { ...checkout, episode };
  const own = ownEpisode(acting, readRoster(checkout));
  if (own !== undefined && !isForeign(own)) return acting;
  throw new MajordomusError({
    code: "episode.absent",
    exit: EXIT.missing,
    subject: episode,
    message: "is not open in this worktree",
    remedy: "`majordomus lifecycle episodes` lists the open ones",
  });
}
