import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { composeBriefing } from "../context/briefing.ts";
import type { BriefingFacts } from "../context/briefing.ts";
import { knownTask } from "../context/working-task.ts";
import type { OpenOutcome } from "../episode/request.ts";
import type { Roster } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import { queueOfBranch } from "../knowledge/queue.ts";
import { labelRecord } from "../ledger/labelled-record.ts";
import { waitingOffers, waitingSentence } from "../records/continuity-cache.ts";
import { knownQuestions } from "../records/questions.ts";
import type { Instant } from "./instant.ts";

export interface BriefingRequest {
  opened: Extract<OpenOutcome, { state: "opened" | "kept" }> | undefined;
  /** Why no episode was opened, where that is so. */
  withoutEpisode: string | undefined;
  /** Where the shared server stands; undefined where nothing is to be said of it. */
  server: string | undefined;
  /** Sentences that the steps before have found. */
  notices: readonly string[];
  roster: Roster;
}

/** Sentences about what needs a person. */
function noticesOf(checkout: Checkout, roster: Roster): string[] {
  const losses = roster.entries.map((entry) => strandingOf(entry)?.loss);
  const lost = losses.filter((loss) => loss === "worktree_gone").length;
  const ended = losses.filter((loss) => loss === "ended").length;
  const dead = losses.filter((loss) => loss === "worker_gone").length;
  const notices: string[] = [];
  if (lost > 0)
    notices.push(
      `${lost} episode(s) are stranded: their worktree is gone. \`majordomus recover\` shows them.`,
    );
  if (ended > 0) {
    notices.push(`${ended} episode(s) ended without a record. \`majordomus recover\` shows them.`);
  }
  if (dead > 0) notices.push(`${dead} episode(s) have lost their worker. \`majordomus recover\` shows them.`);
  const offers = waitingOffers(checkout.layout.state, checkout.common.root);
  const waiting = waitingSentence(offers, checkout.branch);
  if (waiting !== undefined) notices.push(waiting);
  return notices;
}

/** What could not be read, and what shows it. */
function doubtOf({ findings: [found] }: Readings): string | undefined {
  if (found === undefined) return undefined;
  return `${found.subject} ${found.message}; \`${found.reproduce ?? ""}\` shows it`;
}

/** Of the 9,000 bytes that a provider takes, what a briefing by itself may use (decisions.md 1). */
export const BRIEFING_BYTES = 6000;

/**
 * Gathers what a start tells its worker: episode, task, blockers, the handover with both labels (records.md 10).
 *
 * @returns composes it in at most so many UTF-8 bytes, as often as it is asked
 */
export function prepareBriefing(
  checkout: Checkout,
  request: BriefingRequest,
  instant: Instant,
): (maximumBytes: number) => string {
  const { opened, withoutEpisode, server, notices, roster } = request;
  const { moment, shelf } = instant;
  const { task, taskDoubt } = knownTask(checkout);
  const questions = knownQuestions(checkout.layout.questions);
  const readings = new Readings(checkout.root, "FAIL");
  const found = readings.attempt("handovers", () => shelf.newest("handovers", task?.id));
  const tree = moment.tree();
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
    ...(server === undefined ? {} : { server }),
    branch: checkout.branch,
    head: checkout.head,
    workingTree: tree.ok ? tree.value.state : undefined,
    ...(task === undefined
      ? {}
      : {
          task: {
            id: task.id,
            outcome: task.outcome,
            ...(task.profile === "" ? {} : { profile: task.profile }),
            title: task.title ?? task.task,
            scope: task.scope,
          },
        }),
    taskDoubt,
    blockers: questions.open.map(({ question }) => question),
    blockersDoubt: questions.doubt,
    ...(found === undefined ? {} : { handover: labelRecord(checkout, found, moment) }),
    handoverDoubt: doubtOf(readings),
    knowledge: queueOfBranch(checkout),
    notices: [...noticesOf(checkout, roster), ...notices],
  };
  const lines = checkout.settings.policy.session.briefing_budget_lines;
  return (bytes) => composeBriefing(facts, { lines, bytes });
}
