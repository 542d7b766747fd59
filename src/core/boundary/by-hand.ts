import { EXIT, MajordomusError } from "../base/error.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { buildContext } from "../context/gather.ts";
import { composeClosed } from "../episode/compose-closed.ts";
import { freezeContext } from "../episode/freeze.ts";
import { openEpisode } from "../episode/open.ts";
import { homeOf } from "../episode/home.ts";
import { isForeign } from "../episode/own.ts";
import { ownOrRefuse } from "../episode/own-or-refuse.ts";
import { recordPath, sealEpisode } from "../episode/seal.ts";
import type {
  SessionCloseAnswer,
  SessionCloseInput,
  SessionStartAnswer,
  SessionStartInput,
} from "../episode/session-answers.ts";
import { episodeFacts, readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { refuseIdentityLines } from "../records/refuse-identity.ts";
import { deriveBeforeClosing } from "./derive-knowledge.ts";
import { instantOf } from "./instant.ts";
import { profileHere } from "./profile-here.ts";

function refused(subject: string, message: string, remedy: string): MajordomusError {
  return new MajordomusError({ code: "session.refused", exit: EXIT.refused, subject, message, remedy });
}

function alreadyOpen(sessionId: string, startedAt: string): MajordomusError {
  return refused(
    sessionId,
    `is open here since ${startedAt}`,
    "close it with `majordomus session close`, or keep it with --if-open keep",
  );
}

/**
 * Opens an episode because a person, or a worker without hooks, says so (records.md 3.4): episode, pointer,
 * ledger line, and the working context.
 *
 * @throws MajordomusError 15 when it is open already and is not to be kept, or lives in another worktree;
 *   10 when the file that should hold it cannot be read.
 */
export async function startByHand(checkout: Checkout, input: SessionStartInput): Promise<SessionStartAnswer> {
  const keep = input.if_open === "keep";
  const { own } = ownOrRefuse(checkout, input.provider_session);
  if (own !== undefined && !isForeign(own)) {
    const { started_at } = episodeFacts(own);
    if (!keep) throw alreadyOpen(own.sessionId, started_at);
    return {
      schema: 1,
      state: "kept",
      session_id: own.sessionId,
      started_at,
      head: headText(checkout),
      notes: [],
    };
  }
  const instant = instantOf(checkout);
  const tree = instant.moment.tree();
  const opened = openEpisode(checkout, {
    ...(input.provider === undefined ? {} : { provider: input.provider }),
    ...(input.provider_session === undefined ? {} : { rawId: input.provider_session }),
    ...(input.worker === undefined ? {} : { worker: input.worker }),
    owner: input.owner ?? checkout.owner,
    movesPointer: true,
    workingTree: tree.ok ? tree.value.state : "dirty",
    deferrable: true,
  });
  if (opened.state === "refused") {
    throw refused(input.provider_session ?? "session", opened.reason, "close it there first");
  }
  if (opened.state === "kept" && !keep) throw alreadyOpen(opened.sessionId, opened.startedAt);
  const profile = await profileHere(checkout);
  const frozen = freezeContext(
    checkout,
    {
      sessionId: opened.sessionId,
      ...(input.provider === undefined ? {} : { provider: input.provider }),
      ...(input.provider_session === undefined ? {} : { rawId: input.provider_session }),
      ...(input.worker === undefined ? {} : { worker: input.worker }),
    },
    () => buildContext(checkout, { ...instant, profile }).text,
  );
  return {
    schema: 1,
    state: opened.state,
    session_id: opened.sessionId,
    started_at: opened.startedAt,
    head: headText(checkout),
    working_context: recordPath(checkout, frozen.path),
    ...(opened.continues === undefined ? {} : { continues: opened.continues.session_id }),
    notes: opened.notes,
  };
}

/**
 * The episode that is to be closed: the named one of any worktree, else the asking process's own. One that was told
 * to end is nobody's any more, but the pointer still says which close a person means to finish.
 */
function chosen(checkout: Checkout, input: SessionCloseInput): RosterEntry | undefined {
  if (input.session_id === undefined) {
    const { roster, own } = ownOrRefuse(checkout, input.provider_session);
    const named = input.provider_session === undefined ? roster.pointer.sessionId : undefined;
    return own ?? roster.entries.find(({ here, sessionId }) => here && sessionId === named);
  }
  return readRoster(checkout).entries.find((entry) => entry.sessionId === input.session_id);
}

function refuseUnclosable(entry: RosterEntry): void {
  if (entry.whereabouts.kind === "gone") {
    throw refused(
      entry.sessionId,
      "has lost its worktree and cannot close itself",
      "`majordomus recover episodes` composes its record",
    );
  }
  if (isForeign(entry)) {
    throw refused(
      entry.sessionId,
      `was opened by ${episodeFacts(entry).worktree}`,
      "close it there, or recover it",
    );
  }
}

/**
 * Closes an episode because a person says so (records.md 3.4), in the store of the worktree that opened it.
 *
 * @throws MajordomusError 12 when nothing is open and that is not to be ignored, 15 when it is another
 *   store's or has lost its worktree, 10 for a summary that claims what git says; the episode then stays open.
 */
export async function closeByHand(checkout: Checkout, input: SessionCloseInput): Promise<SessionCloseAnswer> {
  if (input.summary !== undefined) refuseIdentityLines(input.summary);
  const entry = chosen(checkout, input);
  if (entry === undefined) {
    if (input.if_none === "ignore") return { schema: 1, state: "none" };
    throw new MajordomusError({
      code: "session.absent",
      exit: EXIT.missing,
      subject: input.session_id ?? input.provider_session ?? "session",
      message:
        input.session_id === undefined ? "none is open in this worktree" : "is not open in this repository",
      remedy: "`majordomus lifecycle episodes` shows what is open",
    });
  }
  refuseUnclosable(entry);
  const home = await homeOf(checkout, entry);
  const { sessionId } = entry;
  const own =
    home === checkout ? entry : readRoster(home).entries.find((other) => other.sessionId === sessionId);
  if (own === undefined) return { schema: 1, state: "none" };
  const outcome = input.outcome ?? "closed";
  let underived: string | undefined;
  const sealed = sealEpisode(home, own, {
    outcome,
    reason: "closed by a person",
    deferrable: true,
    beforeClosing: (lines) => {
      underived = deriveBeforeClosing(home, { sessionId, lines, openAt: home.head, session: sessionId });
    },
    compose: (lines) => composeClosed(home, own, lines, outcome, input.summary),
  });
  return {
    schema: 1,
    state: sealed.written ? "closed" : "kept",
    session_id: sessionId,
    path: recordPath(home, sealed.path),
    ...(underived === undefined ? {} : { notes: [underived] }),
  };
}
