import { composeBriefing } from "../context/briefing.ts";
import type { BriefingFacts } from "../context/briefing.ts";
import { buildContext } from "../context/gather.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { freezeContext } from "../episode/freeze.ts";
import { openEpisode } from "../episode/open.ts";
import type { OpenOutcome, OpenRequest } from "../episode/request.ts";
import { retireLeftBehind } from "../episode/seal.ts";
import { identifyProcess } from "../fs/process.ts";
import { readWorkingTree } from "../git/status.ts";
import { strayWorktree } from "../git/stray-worktree.ts";
import { readRoster } from "../journal/roster.ts";
import type { Roster } from "../journal/roster.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { readPointer } from "../records/pointer.ts";
import { readQuestions } from "../records/questions.ts";
import { ownTask } from "../records/task.ts";
import { drainWaiting } from "./drain.ts";
import type { LifecycleEvent } from "./event.ts";
import { historyDepth } from "./history-depth.ts";
import type { Steps } from "./steps.ts";

/** Of the 9,000 bytes that a provider takes, what the briefing may use beside the capsule (decisions.md 1). */
const BRIEFING_BYTES = 6000;

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
 * The steps of a start, and of any event that must open an episode: drain, open or keep, freeze the context.
 * One git process at most (decisions.md 1).
 *
 * @returns the briefing when the event is a start and the policy wants one
 */
export async function startSession(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  await drain(checkout, steps);
  const before = readPointer(checkout.layout);
  const tree = readWorkingTree(checkout.repository);
  const workingTree = tree.ok ? tree.value.state : undefined;
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
    before.sessionId !== undefined &&
    before.sessionId !== opened.sessionId
      ? before.sessionId
      : undefined;
  if (event.kind === "start") await receive(checkout, event, opened, mismatch, steps);
  if (opened !== undefined && opened.elsewhere === undefined) {
    await freeze(checkout, event, opened, workingTree, steps);
  }
  if (event.kind !== "start" || event.subagent || !checkout.settings.policy.session.briefing_on_start)
    return undefined;
  return steps.run("briefing", () =>
    brief(checkout, opened, opened === undefined ? steps.reasonOf("episode") : undefined, workingTree, [
      ...pointerNotice(mismatch),
      ...stray,
    ]),
  );
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
    const recorded = recordEvent(
      checkout,
      "provider.event.received",
      {
        provider: event.provider,
        provider_event: "start",
        ...(event.session === undefined ? {} : { provider_session: event.session }),
        ...(event.source === undefined ? {} : { source: event.source }),
        ...(event.declared === undefined ? {} : { declared: event.declared, seen: event.provider }),
        ...(mismatch === undefined ? {} : { pointer_named: mismatch }),
      },
      { session: opened?.sessionId, deferrable: true },
    );
    if (recorded === "deferred") note({ result: "deferred" });
  });
}

async function freeze(
  checkout: Checkout,
  event: LifecycleEvent,
  opened: Opened,
  workingTree: "clean" | "dirty" | undefined,
  steps: Steps,
): Promise<void> {
  const depth = await historyDepth(checkout);
  await steps.run("working_context", (note) => {
    const frozen = freezeContext(
      checkout,
      {
        sessionId: opened.sessionId,
        provider: event.provider,
        ...(event.session === undefined ? {} : { rawId: event.session }),
      },
      () => buildContext(checkout, { workingTree, historyDepth: depth }).text,
    );
    if (!frozen.written) note({ result: "skipped", reason: "stands already" });
  });
}

/** Sentences about what needs a person, and what was found out of order. */
function noticesOf(checkout: Checkout, roster: Roster): string[] {
  const lost = roster.entries.filter((entry) => entry.whereabouts.kind === "gone").length;
  const dead = roster.entries.filter(
    (entry) => entry.whereabouts.kind !== "gone" && entry.worker.state === "gone",
  ).length;
  const notices: string[] = [];
  if (lost > 0)
    notices.push(
      `${lost} episode(s) are stranded: their worktree is gone. \`majordomus recover\` shows them.`,
    );
  if (dead > 0) notices.push(`${dead} episode(s) have lost their worker. \`majordomus recover\` shows them.`);
  for (const entry of roster.leftBehind) retireLeftBehind(checkout, entry);
  return notices;
}

function brief(
  checkout: Checkout,
  opened: Opened | undefined,
  withoutEpisode: string | undefined,
  workingTree: "clean" | "dirty" | undefined,
  notices: readonly string[],
): string {
  const task = ownTask(checkout.layout.task, checkout.root);
  const questions = readQuestions(checkout.layout.questions);
  const facts: BriefingFacts = {
    now: checkout.clock.now(),
    ...(opened === undefined
      ? {}
      : {
          episode: {
            sessionId: opened.sessionId,
            ...(opened.continues === undefined ? {} : { continues: opened.continues.session_id }),
          },
        }),
    ...(withoutEpisode === undefined ? {} : { withoutEpisode }),
    branch: checkout.branch,
    head: checkout.head,
    workingTree,
    ...(task?.outcome === "active"
      ? {
          task: {
            id: task.id,
            outcome: task.outcome,
            ...(task.profile === "" ? {} : { profile: task.profile }),
            title: task.title ?? task.task,
            scope: task.scope,
          },
        }
      : {}),
    blockers: questions.ok ? questions.value.open.map(({ question }) => question) : [],
    notices: [...noticesOf(checkout, readRoster(checkout)), ...notices],
  };
  return composeBriefing(facts, {
    lines: checkout.settings.policy.session.briefing_budget_lines,
    bytes: BRIEFING_BYTES,
  });
}
