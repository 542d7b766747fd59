import type { Cancellation } from "../base/cancellation.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { episodeLines } from "../episode/lines.ts";
import { isForeign, ownEpisode } from "../episode/own.ts";
import { readRoster } from "../journal/roster.ts";
import type { Roster } from "../journal/roster.ts";
import type { DeriveAnswer, DeriveInput } from "../knowledge/answers.ts";
import { deriveEpisodes, pathsOf } from "../knowledge/derive.ts";
import type { DeriveOrder, DerivedEpisode } from "../knowledge/derive.ts";
import { accountOf, gatherEpisodes } from "../knowledge/gather-episodes.ts";
import { sessionNamesOf } from "../records/session-names.ts";
import { findRecordOfSession } from "../records/session-store.ts";

export interface DeriveContext {
  signal: Cancellation;
  progress: (progress: { done: number; total?: number; what: string }) => void;
}

/** The asking process's own episode, where it has one in this worktree. */
export function ownSession(checkout: Checkout, roster: Roster = readRoster(checkout)): string | undefined {
  const own = ownEpisode(checkout, roster);
  return own === undefined || isForeign(own) ? undefined : own.sessionId;
}

function orderOf(checkout: Checkout, roster: Roster, sessionId: string): DeriveOrder {
  const account = accountOf(sessionId, episodeLines(checkout, sessionId).lines);
  const open = roster.entries.some((entry) => entry.here && entry.sessionId === sessionId);
  return { account, openAt: open ? checkout.head : undefined };
}

/** An episode is known by its lines, its record, or by being open; anything else is a mistyped id. */
function refuseUnknown(checkout: Checkout, roster: Roster, order: DeriveOrder): void {
  const { account } = order;
  const known =
    account.lastHead !== undefined ||
    roster.entries.some(({ sessionId }) => sessionId === account.sessionId) ||
    findRecordOfSession(checkout.layout.sessions, account.sessionId) !== undefined;
  if (known) return;
  throw new MajordomusError({
    code: "knowledge.episode",
    exit: EXIT.missing,
    subject: account.sessionId,
    message: "is no episode that this checkout knows",
    remedy: "`majordomus session list --all` and `majordomus history` name them",
  });
}

function answer(
  input: DeriveInput,
  episode: string | null,
  derived: readonly DerivedEpisode[],
  more: { asked: number; without: number },
): DeriveAnswer {
  const settled = derived.flatMap((one) => one.settled);
  return {
    schema: 1,
    episode,
    dry_run: input.dry_run ?? false,
    episodes: derived.length,
    written: pathsOf(settled, "written"),
    unchanged: pathsOf(settled, "unchanged"),
    skipped: settled
      .filter(({ state }) => state === "skipped")
      .map(({ path, why }) => ({ path, why: why ?? "" })),
    without_ledger: more.without,
    left: more.asked - derived.length,
  };
}

/**
 * Derives knowledge because somebody asks for it: from the episode that is named, from the process's own, or
 * from every closed one of the ledger and its archives.
 *
 * @throws MajordomusError 2 for an episode beside all, 12 for one that nobody knows; as `deriveEpisodes`.
 */
export function deriveAsked(checkout: Checkout, input: DeriveInput, context: DeriveContext): DeriveAnswer {
  if (input.all === true && input.episode !== undefined) {
    throw new MajordomusError({
      code: "knowledge.usage",
      exit: EXIT.usage,
      subject: input.episode,
      message: "one episode and all of them exclude each other",
    });
  }
  const roster = readRoster(checkout);
  const own = ownSession(checkout, roster);
  const { signal } = context;
  const shared = { dryRun: input.dry_run ?? false, session: own, signal };
  if (input.all === true) {
    const accounts = gatherEpisodes(checkout);
    const orders = [...accounts.values()].filter(({ closed }) => closed).map((account) => ({ account }));
    const without = [...sessionNamesOf(checkout.layout.sessions)].filter((id) => !accounts.has(id)).length;
    const derived = deriveEpisodes(checkout, orders, {
      ...shared,
      onEach: (done, what) => context.progress({ done, total: orders.length, what }),
    });
    return answer(input, null, derived, { asked: orders.length, without });
  }
  const sessionId = input.episode ?? own;
  if (sessionId === undefined) return answer(input, null, [], { asked: 0, without: 0 });
  const order = orderOf(checkout, roster, sessionId);
  refuseUnknown(checkout, roster, order);
  const derived = deriveEpisodes(checkout, [order], shared);
  return answer(input, sessionId, derived, { asked: 1, without: 0 });
}
