import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { isCommitId } from "../base/id.ts";
import { indexDivergence } from "../git/divergence-index.ts";
import { episodeFacts, readRoster } from "../journal/roster.ts";
import type { Roster, RosterEntry } from "../journal/roster.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { openEpisodeName } from "../records/open-episode.ts";
import { sessionKey } from "../records/session-key.ts";
import { isForeign, ownEpisode } from "./own.ts";
import type { SessionStatusAnswer } from "./session-answers.ts";

/**
 * The episode of this process, unless the file that should hold it cannot be read: then nobody may go on as
 * if there were none.
 *
 * @param named a provider session's raw id from the command line.
 * @throws MajordomusError 10 naming the file that is no episode.
 */
export function ownOrRefuse(
  checkout: Checkout,
  named: string | undefined,
): { roster: Roster; own: RosterEntry | undefined } {
  const roster = readRoster(checkout);
  const own = ownEpisode(checkout, roster, named);
  if (own !== undefined) return { roster, own };
  const raw = named ?? checkout.providerSession;
  const keys = [
    raw === undefined ? sessionKey("") : sessionKey(raw),
    ...(named === undefined ? [roster.pointer.key] : []),
  ];
  const names = keys.filter((key) => key !== undefined).map(openEpisodeName);
  const broken = roster.unreadable.find(({ path }) => names.some((name) => path.endsWith(`/${name}`)));
  if (broken === undefined) return { roster, own };
  throw new MajordomusError({
    code: "session.unreadable",
    exit: EXIT.finding,
    subject: broken.path,
    message: broken.reason,
    remedy: "look at the file; move it away if it is of no use",
  });
}

/** This process's open episode with its label, and the other open ones of the store (records.md 3.4). */
export function readOwnStatus(checkout: Checkout, named: string | undefined): SessionStatusAnswer {
  const { roster, own } = ownOrRefuse(checkout, named);
  const others = roster.entries
    .filter((entry) => entry.here && entry !== own)
    .map(({ sessionId, key }) => ({ session_id: sessionId, key }));
  if (own === undefined) return { schema: 1, open: null, others };
  const facts = episodeFacts(own);
  const commits = isCommitId(facts.start_head) ? [facts.start_head] : [];
  const index = indexDivergence(checkout.repository, checkout.head, commits);
  const label = labelDivergence({ branch: facts.branch, head: facts.start_head }, checkout, (commit) =>
    index.of(commit),
  );
  return {
    schema: 1,
    open: {
      session_id: own.sessionId,
      started_at: facts.started_at,
      owner: facts.owner,
      worker: facts.worker ?? null,
      provider: own.file?.provider ?? null,
      provider_session: own.file?.provider_session ?? null,
      worktree: facts.worktree,
      branch: facts.branch,
      start_head: facts.start_head,
      start_working_tree: facts.start_working_tree,
      foreign: isForeign(own),
      label: label.divergence,
    },
    others,
  };
}
