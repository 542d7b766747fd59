import { buildContext } from "../context/gather.ts";
import { workingTask } from "../context/working-task.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { openCheckout } from "../checkout/open.ts";
import { freezeContext } from "../episode/freeze.ts";
import { openEpisode } from "../episode/open.ts";
import type { OpenOutcome, OpenRequest } from "../episode/request.ts";
import { retireLeftBehind } from "../episode/seal.ts";
import { identifyProcess } from "../fs/process.ts";
import { AnnouncedEnds } from "../journal/announced-ends.ts";
import type { ProviderSession } from "../journal/announced-ends.ts";
import { listRegistrations } from "../journal/registration.ts";
import { isGitAbsent } from "../git/spawn.ts";
import { strayWorktree } from "../git/stray-worktree.ts";
import { readPointer } from "../records/pointer.ts";
import { BRIEFING_BYTES, prepareBriefing } from "./brief.ts";
import type { CapsuleTelling } from "./capsule-start.ts";
import type { Briefing } from "./capsule-told.ts";
import { announceDerived } from "./announce-derived.ts";
import { drainWaiting } from "./drain.ts";
import { ensureServerAtStart } from "./ensure-server.ts";
import type { LifecycleEvent } from "./event.ts";
import { healCompaction, healLostWorkers } from "./heal.ts";
import { instantOf } from "./instant.ts";
import { recordProviderEvent } from "./provider-event.ts";
import type { Instant } from "./instant.ts";
import { profileHere } from "./profile-here.ts";
import type { Steps } from "./steps.ts";

type Opened = Extract<OpenOutcome, { state: "opened" | "kept" }>;

function requestOf(checkout: Checkout, event: LifecycleEvent, workingTree: "clean" | "dirty"): OpenRequest {
  const identity = event.processId === undefined ? undefined : identifyProcess(event.processId);
  return {
    provider: event.provider,
    ...(event.session === undefined ? {} : { rawId: event.session }),
    ...(identity === undefined ? {} : { process: identity }),
    ...(event.parentSession === undefined ? {} : { parentSession: event.parentSession }),
    owner: checkout.owner,
    movesPointer: !event.subagent,
    workingTree,
    deferrable: true,
  };
}

/**
 * The steps of a start, and of any event that must open an episode: drain, open or keep, freeze the context,
 * heal, brief. One git process, at most three where records are labelled (decisions.md 1).
 *
 * @returns the briefing when the event is a start and the policy wants one
 */
export async function startSession(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  if (event.withoutSession !== undefined) return tellNobody(checkout, event, steps);
  await drain(checkout, steps);
  await steps.runOthers("make_up_end", async () => {
    const starting = startingSession(event);
    if (!anyEndWaits(checkout, starting)) return;
    const { makeUpEnds } = await import("./make-up-ends.ts");
    await makeUpEnds(checkout, starting, steps);
  });
  const before = readPointer(checkout.layout);
  const instant = instantOf(checkout);
  const { workingTree, gitIsAbsent } = treeState(instant);
  const reading = gitIsAbsent ? goingWithoutGit(checkout) : { checkout, instant };
  const stray = strayNotice(checkout, event);
  const outcome = await steps.run("episode", (note) => {
    const opened = openEpisode(checkout, requestOf(checkout, event, workingTree ?? "dirty"));
    const notes = opened.state === "refused" ? [] : [...opened.notes, ...stray];
    if (opened.state === "refused") note({ result: "refused", reason: opened.reason });
    else if (opened.deferred)
      note({ result: "deferred", reason: "the ledger stayed locked; the line waits in the spool" });
    else if (notes.length > 0) note({ result: "done", reason: notes.join("; ") });
    return opened;
  });
  const opened = outcome === undefined || outcome.state === "refused" ? undefined : outcome;
  const mismatch =
    event.kind === "start" &&
    opened !== undefined &&
    opened.elsewhere === undefined &&
    before.sessionId !== undefined &&
    before.sessionId !== opened.sessionId
      ? before.sessionId
      : undefined;
  if (event.kind === "start") {
    const home = await homeOf(checkout, opened, steps);
    if (home !== undefined) await receive(home, event, opened, mismatch, steps);
  }
  if (opened !== undefined && opened.elsewhere === undefined) {
    await steps.runOthers("questions_to_git", () => announceStart(checkout, opened, instant));
    await freeze(reading.checkout, event, opened, reading.instant, steps);
    if (event.kind === "start") {
      await steps.runOthers("heal", () => healCompaction(checkout, event, opened.sessionId, instant, steps));
    }
  }
  if (event.kind !== "start" || event.subagent) return undefined;
  await steps.runOthers("heal", () => healLostWorkers(checkout, opened?.sessionId, instant, steps));
  const server = await steps.run("server", (note) => ensureServerAtStart(checkout, note));
  const withoutEpisode = opened === undefined ? steps.reasonOf("episode") : undefined;
  const notices = [...(gitIsAbsent ? [WITHOUT_GIT] : []), ...pointerNotice(mismatch), ...stray];
  return tell(checkout, event, steps, () => {
    const roster = instant.roster();
    for (const entry of roster.leftBehind) retireLeftBehind(checkout, entry);
    const request = { opened, withoutEpisode, server, notices, roster };
    return prepareBriefing(reading.checkout, request, reading.instant);
  });
}

/** What a start prints: of its capsules, and the briefing where the policy wants one. */
async function tell(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
  prepare: () => Briefing,
): Promise<string | undefined> {
  const telling = await tellOfCapsules(checkout, event, steps);
  if (!checkout.settings.policy.session.briefing_on_start) return telling?.around(undefined);
  const briefing = await steps.run("briefing", prepare);
  // What was spent is told, whatever became of the briefing.
  return telling === undefined ? briefing?.(BRIEFING_BYTES) : telling.around(briefing);
}

/**
 * A clear that names no session: nobody's episode is opened, and nothing is recorded but the receipt. What was to be
 * resumed is told and spent as at any clear, since silence would look like a clean start (capsules.md 5.4).
 */
async function tellNobody(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  await steps.run("episode", (note) => note({ result: "refused", reason: event.withoutSession ?? "" }));
  const instant = instantOf(checkout);
  const { gitIsAbsent } = treeState(instant);
  const reading = gitIsAbsent ? goingWithoutGit(checkout) : { checkout, instant };
  return tell(checkout, event, steps, () => {
    const notices = [...(gitIsAbsent ? [WITHOUT_GIT] : []), ...strayNotice(checkout, event)];
    const nobody = { opened: undefined, withoutEpisode: event.withoutSession, server: undefined };
    const request = { ...nobody, notices, roster: instant.roster() };
    return prepareBriefing(reading.checkout, request, reading.instant);
  });
}

function startingSession({ kind, provider, session }: LifecycleEvent): ProviderSession | undefined {
  return kind === "start" && session !== undefined ? { provider, session } : undefined;
}

/** Whether an episode of this worktree was told to end and is open yet; looked at before anything bigger is read. */
function anyEndWaits(checkout: Checkout, starting: ProviderSession | undefined): boolean {
  const ends = new AnnouncedEnds(checkout, starting);
  return listRegistrations(checkout.common).entries.some(
    ({ registration }) =>
      registration.worktree_id === checkout.worktreeIdentity &&
      ends.of({
        sessionId: registration.session_id,
        startedAt: registration.started_at,
        registration,
      }) !== undefined,
  );
}

/** The checkout whose ledger holds an episode's lines: not this one when the worker walked here from another. */
async function homeOf(
  checkout: Checkout,
  opened: Opened | undefined,
  steps: Steps,
): Promise<Checkout | undefined> {
  const elsewhere = opened?.elsewhere;
  return elsewhere === undefined ? checkout : steps.run("sibling", () => openCheckout(elsewhere, checkout));
}

/** Capsules are a bundle of their own, and whatever becomes of it, the start goes on. */
async function tellOfCapsules(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<CapsuleTelling | undefined> {
  try {
    const { tellCapsules } = await import("./capsule-start.ts");
    return await tellCapsules(checkout, event, steps);
  } catch (error) {
    return steps.run("capsule", () => {
      throw error;
    });
  }
}

const WITHOUT_GIT =
  "git is not on the PATH of this hook: the working tree and the labels of records are unknown.";

interface TreeState {
  /** Undefined where git does not answer, or is not there at all: an episode is opened without it. */
  workingTree: "clean" | "dirty" | undefined;
  gitIsAbsent: boolean;
}

function treeState(instant: Instant): TreeState {
  try {
    const tree = instant.moment.tree();
    return { workingTree: tree.ok ? tree.value.state : undefined, gitIsAbsent: false };
  } catch (error) {
    return { workingTree: undefined, gitIsAbsent: isGitAbsent(error) };
  }
}

/** The same checkout for what only reads: what is written waits for git, what is told does not. */
function goingWithoutGit(checkout: Checkout): { checkout: Checkout; instant: Instant } {
  const forgiving = { ...checkout, repository: { ...checkout.repository, goesWithoutGit: true } };
  return { checkout: forgiving, instant: instantOf(forgiving) };
}

/** Tells git at once what freezing, healing and briefing will ask. */
function announceStart(checkout: Checkout, opened: Opened, instant: Instant): void {
  const entry = instant.roster().entries.find(({ sessionId }) => sessionId === opened.sessionId);
  if (entry !== undefined) announceDerived(checkout, entry, instant);
  const handover = instant.shelf.newest("handovers", workingTask(checkout)?.id);
  instant.moment.judge([handover?.candidate.record.head]);
}

/** Work in a directory that only looks like a worktree counts as the checkout's around it: that is said. */
function strayNotice(checkout: Checkout, { cwd }: LifecycleEvent): string[] {
  const stray = cwd === undefined ? undefined : strayWorktree(checkout.repository, cwd);
  return stray === undefined
    ? []
    : [`${stray} is not a registered worktree: what is done there counts as ${checkout.root}.`];
}

function pointerNotice(mismatch: string | undefined): string[] {
  return mismatch === undefined
    ? []
    : [`The pointer on disk named another episode, ${mismatch}; the session's own id decides.`];
}

async function drain(checkout: Checkout, steps: Steps): Promise<void> {
  await steps.run("spool", (note) => {
    const drained = drainWaiting(checkout);
    if (drained.left > 0) note({ result: "deferred", reason: `${drained.left} line(s) wait further` });
    else if (drained.unusable > 0)
      note({ result: "failed", reason: `${drained.unusable} spool entries have no target any more` });
    else if (drained.applied === 0) note({ result: "skipped", reason: "nothing waits" });
  });
}

async function receive(
  checkout: Checkout,
  event: LifecycleEvent,
  opened: Opened | undefined,
  mismatch: string | undefined,
  steps: Steps,
): Promise<void> {
  await steps.run("receipt", (note) => {
    const recorded = recordProviderEvent(checkout, event, "start", {
      session: opened?.sessionId,
      facts: { pointer_named: mismatch },
    });
    if (recorded === "deferred") note({ result: "deferred" });
  });
}

async function freeze(
  checkout: Checkout,
  event: LifecycleEvent,
  opened: Opened,
  instant: Instant,
  steps: Steps,
): Promise<void> {
  const profile = await profileHere(checkout);
  await steps.run("working_context", (note) => {
    const frozen = freezeContext(
      checkout,
      {
        sessionId: opened.sessionId,
        provider: event.provider,
        ...(event.session === undefined ? {} : { rawId: event.session }),
      },
      () => buildContext(checkout, { ...instant, profile }).text,
    );
    if (!frozen.written) note({ result: "skipped", reason: "stands already" });
  });
}
