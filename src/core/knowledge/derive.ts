import { join } from "node:path";
import type { Cancellation } from "../base/cancellation.ts";
import { NEVER } from "../base/cancellation.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { makeDirectory } from "../fs/write.ts";
import { writeManyDurably } from "../fs/write-many.ts";
import type { Replacement } from "../fs/write-many.ts";
import { touchesInSpans } from "../git/directory-commits.ts";
import type { SpanTouches } from "../git/directory-commits.ts";
import { recordEvents } from "../ledger/record-event.ts";
import { sectionLines } from "../records/body-sections.ts";
import { readOptionalRecordText } from "../records/record-file.ts";
import { endOfEpisode } from "./gather-episodes.ts";
import type { EpisodeAccount } from "./gather-episodes.ts";
import { planCandidates } from "./plan-candidates.ts";
import type { PlannedCandidate } from "./plan-candidates.ts";
import { prepareCandidates, settleCandidate } from "./settle-candidate.ts";
import type { Settled } from "./settle-candidate.ts";

/** An episode to derive from; `openAt` is HEAD's commit where it is still open. */
export interface DeriveOrder {
  account: EpisodeAccount;
  openAt?: string | undefined;
  /** What is known already of a lone episode's commits; asked only where there is something to derive. */
  history?: () => KnownHistory;
}

/** `untouched`: none of its commits can count. `ancestor`: its beginning is an ancestor of its end. */
export type KnownHistory = "untouched" | "ancestor" | "unknown";

export interface DeriveOptions {
  dryRun?: boolean;
  /** Put the ledger line aside when the ledger stays locked: what a hook does. */
  deferrable?: boolean;
  /** The episode that the event belongs to: whoever derives. */
  session?: string | undefined;
  signal?: Cancellation;
  /** Told before each episode. */
  onEach?: (done: number, sessionId: string) => void;
}

export interface DerivedEpisode {
  sessionId: string;
  settled: Settled[];
}

/** How many episodes share a lock and a wait for the disk: few enough that nobody else waits long. */
const TOGETHER = 25;

const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The lock under which candidates are written, promoted and rejected: none is revived in between. */
export function knowledgeLock({ layout }: Pick<Checkout, "layout">): string {
  return join(layout.locks, "knowledge");
}

/** The first line under `# Reason` of a task's completion note; undefined where this checkout has no note. */
function reasonOf({ layout }: Pick<Checkout, "layout">, task: string): string | undefined {
  if (!TASK_ID.test(task)) return undefined;
  const note = readOptionalRecordText(join(layout.completed, `${task}.md`));
  if (!note.ok || note.value === undefined) return undefined;
  const line = sectionLines(note.value, "Reason")?.[0] ?? "";
  return line.replaceAll(/[\t\r\n]/g, " ").trim();
}

/** Where rules and decisions about the design lie, relative to the work tree. */
export function guidingDirectories({ settings }: Pick<Checkout, "settings">): string[] {
  const { rules, adrs } = settings.manifest.sections;
  return [rules, adrs].map((section) => `.ai/${section.replace(/\/+$/, "")}`);
}

/** The commits of each episode that touch rules or decisions about the design; git is asked for all at once. */
function touchesOf(checkout: Checkout, orders: readonly DeriveOrder[]): SpanTouches[] {
  const known = orders.length === 1 ? (orders[0]?.history?.() ?? "unknown") : "unknown";
  if (known === "untouched") return orders.map(() => ({ commits: [], paths: [], unknown: false }));
  const touches = touchesInSpans(
    checkout.repository,
    orders.map(({ account, openAt }) => ({
      from: account.startHead ?? "",
      to: endOfEpisode(account, openAt) ?? "",
    })),
    guidingDirectories(checkout),
    { isAncestor: known === "ancestor" },
  );
  if (touches.ok) return touches.value;
  // To go on would write other bytes than the next time: what git could not say is no fact of the episode.
  throw new MajordomusError({
    code: "knowledge.git",
    exit: EXIT.internal,
    message: `git could not list the commits: ${touches.error}`,
    remedy: "derive again; nothing was written",
  });
}

function withTouches(planned: PlannedCandidate, touches: SpanTouches): PlannedCandidate {
  const { draft } = planned;
  const commits = touches.commits.map((commit) => `commit:${commit}`);
  return {
    ...planned,
    draft: { ...draft, derivedFrom: [...draft.derivedFrom, ...commits], files: touches.paths },
    incomplete: planned.incomplete || touches.unknown,
  };
}

/** Adds up what became of an episode's facts, by state. */
export function pathsOf(settled: readonly Settled[], state: Settled["state"]): string[] {
  return settled.filter((one) => one.state === state).map(({ path }) => path);
}

function recordDerived(
  checkout: Checkout,
  derived: readonly DerivedEpisode[],
  { session, deferrable = false }: DeriveOptions,
): void {
  const events = derived.map(({ sessionId, settled }) => {
    const written = pathsOf(settled, "written");
    return {
      episode: sessionId,
      written: written.length,
      unchanged: pathsOf(settled, "unchanged").length,
      skipped: pathsOf(settled, "skipped").length,
      paths: written.join(" "),
    };
  });
  recordEvents(checkout, "knowledge.derived", events, { session, deferrable });
}

interface EpisodePlan {
  sessionId: string;
  planned: PlannedCandidate[];
}

/** What each episode would leave, the evidence of its commits included; git is asked for all at once. */
function planEpisodes(checkout: Checkout, orders: readonly DeriveOrder[]): EpisodePlan[] {
  const plans = orders.map((order) => {
    const { sessionId, lines } = order.account;
    return {
      order,
      sessionId,
      planned: planCandidates(sessionId, lines, (task) => reasonOf(checkout, task)),
    };
  });
  const saying = plans.filter(({ planned }) => planned.length > 0);
  const touches = touchesOf(
    checkout,
    saying.map(({ order }) => order),
  );
  const bySession = new Map(saying.map(({ sessionId }, index) => [sessionId, touches[index]]));
  return plans.map(({ sessionId, planned }) => {
    const own = bySession.get(sessionId);
    return { sessionId, planned: own === undefined ? planned : planned.map((one) => withTouches(one, own)) };
  });
}

/** Settles some episodes' candidates under one lock, waits once for the disk, and then says so in the ledger. */
function settleEpisodes(
  checkout: Checkout,
  plans: readonly EpisodePlan[],
  options: DeriveOptions,
  before: (sessionId: string) => boolean,
): DerivedEpisode[] {
  const derived: DerivedEpisode[] = [];
  const files: Replacement[] = [];
  const settle = (): void => {
    for (const { sessionId, planned } of plans) {
      if (!before(sessionId)) break;
      const settled = planned.map((one) => settleCandidate(checkout, one, (file) => files.push(file)));
      derived.push({ sessionId, settled });
    }
    if (options.dryRun === true || files.length === 0) return;
    prepareCandidates(checkout);
    writeManyDurably(files);
  };
  const writes = options.dryRun !== true && plans.some(({ planned }) => planned.length > 0);
  if (writes) underLock(checkout, settle);
  else settle();
  if (options.dryRun !== true) recordDerived(checkout, derived, options);
  return derived;
}

/**
 * Derives what episodes decided, resolved and finished as candidates, from the ledger and git alone: the same
 * ledger and the same git give the same bytes (records.md 12). Each episode stands for itself: when it is
 * cancelled, those before it are whole.
 *
 * @returns the episodes that were gone through, in order.
 * @throws LockTimeout when the store stayed locked; MajordomusError 13 when git does not answer, 15 for a
 *   directory that a link leads elsewhere.
 */
export function deriveEpisodes(
  checkout: Checkout,
  orders: readonly DeriveOrder[],
  options: DeriveOptions = {},
): DerivedEpisode[] {
  const plans = planEpisodes(checkout, orders);
  const signal = options.signal ?? NEVER;
  const derived: DerivedEpisode[] = [];
  let begun = 0;
  const before = (sessionId: string): boolean => {
    if (signal.aborted) return false;
    options.onEach?.(begun, sessionId);
    begun += 1;
    return true;
  };
  for (let from = 0; from < plans.length && !signal.aborted; from += TOGETHER) {
    derived.push(...settleEpisodes(checkout, plans.slice(from, from + TOGETHER), options, before));
  }
  return derived;
}

function underLock(checkout: Checkout, action: () => void): void {
  makeDirectory(checkout.layout.locks);
  withPatientLock(knowledgeLock(checkout), checkout.patience, action);
}
