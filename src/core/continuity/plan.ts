import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { readWorkRecords, resolveRecord } from "../ledger/work-records.ts";
import type { ContinuityState } from "../records/continuity-cache.ts";
import { sectionText } from "./body.ts";
import { RECOMMEND } from "./commands.ts";
import type { Recommendation } from "./commands.ts";
import { positionHere } from "./compose.ts";
import { compareContinuations } from "./continuations.ts";
import { recordsNamed, refusedNamed } from "./find-record.ts";
import { Lineage } from "./lineage.ts";
import { resumableHere } from "./offers.ts";
import { openContinuity, recallState } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import type { PlanAnswer, Reason } from "./plan-answer.ts";
import { judgePlan, sameUncommittedWork } from "./plan-checks.ts";
import type { PlanFacts } from "./plan-checks.ts";
import type { SignedRecord } from "./record.ts";
import { relateSource } from "./source-relation.ts";
import { readSourceState } from "./source-state.ts";
import { knownRemote } from "./store-status.ts";
import { readStored } from "./stored-record.ts";
import { readStore } from "./store.ts";
import type { Store } from "./store.ts";
import type { RecordSummary } from "./summary.ts";
import { latestFirst, recordViewer } from "./views.ts";

/** What a resume brings back, and what this checkout works out by itself. */
const RESTORES = ["handover", "intent", "issue", "decisions", "next_action", "lineage", "provenance"];
const RECOMPUTES = ["worktree", "repository_id", "episode", "working_context", "source_state"];

/** A plan, and the record that it is about, for the one who carries it out. */
export interface Planned {
  answer: PlanAnswer;
  chosen: { summary: RecordSummary; signed: SignedRecord } | undefined;
}

type Choice =
  | { record: RecordSummary }
  | { answer: Pick<PlanAnswer, "status" | "blockers" | "warnings" | "actions">; candidates: RecordSummary[] };

function nothing(blockers: Reason[], warnings: Reason[]): Choice {
  const actions = [RECOMMEND.sync()];
  return { answer: { status: "nothing_to_resume", blockers, warnings, actions }, candidates: [] };
}

function several(records: readonly RecordSummary[], blockers: Reason[]): Choice {
  const candidates = records.toSorted(latestFirst);
  const actions = candidates.map(({ id, label }) => RECOMMEND.planRecord(id, label));
  return { answer: { status: "choose_record", blockers, warnings: [], actions }, candidates };
}

function chooseNamed(store: Store, given: string): Choice {
  const named = recordsNamed(store, given);
  const [only] = named;
  if (only !== undefined) return named.length === 1 ? { record: only } : several(named, []);
  const refused = refusedNamed(store, given);
  const blocker =
    refused === undefined
      ? { code: "record_unknown", message: `${given} is no record of this store` }
      : { code: refused.code, message: `${refused.path} ${refused.message}` };
  return nothing([blocker], []);
}

/** Which record a plan is about (records.md 14.16): the named one, else the one that waits. */
function chooseRecord(
  place: ContinuityPlace,
  store: Store,
  state: ContinuityState,
  given: string | undefined,
): Choice {
  if (given !== undefined) return chooseNamed(store, given);
  const offers = resumableHere(place, store, state);
  const here = offers.filter(({ branch }) => branch === place.checkout.branch);
  const candidates = here.length > 0 ? here : offers;
  const [only] = candidates;
  if (only === undefined) {
    const message = "no other machine has published anything that is not resumed here already";
    return nothing([], state.lastSync === undefined ? [] : [{ code: "nothing_published", message }]);
  }
  if (candidates.length === 1) return { record: only };
  const message = `${candidates.length} handovers could be resumed; a person must name one`;
  return several(candidates, [{ code: "several_resumable", message }]);
}

/** The handover of this very checkout that would still resolve first after a resume. */
function outranking(checkout: Checkout): Pick<PlanAnswer, "outranked_by"> {
  const resolved = resolveRecord(checkout, readWorkRecords(checkout, "handovers"), checkout.clock.now());
  if (resolved?.tier !== "same_worktree_same_branch") return {};
  const { path, createdAt } = resolved.candidate;
  const message =
    "is of this very checkout and branch, and so resolves before a resumed one, however old it is";
  return { outranked_by: { path: shownPath(checkout.root, path), created_at: createdAt, message } };
}

function headsOf(store: Store, lineage: Lineage, line: string): RecordSummary[] {
  return lineage.heads(line).flatMap((id) => store.records.get(id) ?? []);
}

function factsOf(
  place: ContinuityPlace,
  store: Store,
  state: ContinuityState,
  record: RecordSummary,
  explicit: boolean,
): PlanFacts {
  const { checkout } = place;
  const signed = readStored(place, record);
  const lineage = new Lineage(store.records);
  return {
    record,
    signed,
    explicit,
    trust: place.trust.of(record.publicKey),
    whyUntrusted: place.trust.whyNot(record.publicKey),
    lineage,
    has: (id) => store.records.has(id),
    heads: headsOf(store, lineage, record.line),
    position: positionHere(place, store, state).record,
    ownNode: place.device?.node,
    now: checkout.clock.now(),
    relation: relateSource(checkout.repository, signed.record.source, checkout),
    local: readSourceState(checkout, { fingerprint: true }),
    remote: knownRemote(place, state) ?? "origin",
  };
}

function sourceView({ signed, local, relation }: PlanFacts): PlanAnswer["source"] {
  const { source } = signed.record;
  const same =
    source.working_tree === "dirty" && local.working_tree === "dirty"
      ? sameUncommittedWork({ signed, local })
      : undefined;
  return {
    ...(source.branch === undefined ? {} : { expected_branch: source.branch }),
    ...(source.head === undefined ? {} : { expected_head: source.head }),
    ...(local.branch === undefined ? {} : { local_branch: local.branch }),
    ...(local.head === undefined ? {} : { local_head: local.head }),
    relation,
    origin_dirty: source.working_tree === "dirty",
    ...(source.changed === undefined ? {} : { origin_changed: source.changed }),
    origin_changed_total: source.changed_total,
    local_dirty: local.working_tree === "dirty",
    ...(same === undefined ? {} : { same_uncommitted_work: same }),
  };
}

function lineageView({ record, heads, position, lineage }: PlanFacts): PlanAnswer["lineage"] {
  return {
    line: record.line,
    ...(record.parent === undefined ? {} : { parent: record.parent }),
    state: heads.length > 1 ? "diverged" : "linear",
    heads: heads.map(({ id }) => id),
    ...(position === undefined
      ? {}
      : { position: position.id, relation: lineage.relation(position, record) }),
  };
}

function contentView({ record }: SignedRecord): Partial<PlanAnswer> {
  const { task, decisions, handover } = record;
  const [objective, state, next] = ["objective", "current state", "next action"].map((name) =>
    sectionText(handover.body, name),
  );
  return {
    ...(task === undefined ? {} : { task }),
    ...(handover.milestone === undefined ? {} : { milestone: handover.milestone }),
    ...(decisions === undefined ? {} : { decisions: decisions.map(({ title }) => title) }),
    ...(objective === undefined ? {} : { objective }),
    ...(state === undefined ? {} : { current_state: state }),
    ...(next === undefined ? {} : { next_action: next }),
  };
}

/** Lines that were gone on with in several ways, among these candidates. */
function candidateContinuations(
  place: ContinuityPlace,
  store: Store,
  state: ContinuityState,
  candidates: readonly RecordSummary[],
): Pick<PlanAnswer, "continuations"> {
  const lineage = new Lineage(store.records);
  const lines = new Set(candidates.map(({ line }) => line));
  const [line] = lines;
  const heads = line === undefined ? [] : headsOf(store, lineage, line);
  if (lines.size !== 1 || heads.length < 2) return {};
  const position = positionHere(place, store, state).record?.id;
  return { continuations: compareContinuations(place, heads, { chosen: undefined, position }) };
}

/** Works out what a resume would do, in an opened place; writes nothing. */
export function planIn(place: ContinuityPlace, given: string | undefined): Planned {
  const state = recallState(place);
  const store = readStore(place.store);
  const view = recordViewer(place);
  const choice = chooseRecord(place, store, state, given);
  if ("answer" in choice) {
    const { candidates } = choice;
    const answer: PlanAnswer = {
      ...choice.answer,
      ...(candidates.length === 0 ? {} : { candidates: candidates.map(view) }),
      restores: [],
      recomputes: [],
      ...candidateContinuations(place, store, state, candidates),
    };
    return { answer, chosen: undefined };
  }
  const facts = factsOf(place, store, state, choice.record, given !== undefined);
  const { status, blockers, warnings, actions } = judgePlan(facts);
  const resumable = status === "ready" || status === "ready_with_warnings";
  const { task } = facts.signed.record;
  const all: Recommendation[] = [
    ...(resumable ? [RECOMMEND.resume(facts.record.id)] : []),
    ...actions,
    ...(task === undefined ? [] : [RECOMMEND.start(task)]),
  ];
  const position = facts.position?.id;
  const answer: PlanAnswer = {
    status,
    record: view(facts.record),
    source: sourceView(facts),
    lineage: lineageView(facts),
    ...contentView(facts.signed),
    blockers,
    warnings,
    actions: all,
    restores: RESTORES,
    recomputes: RECOMPUTES,
    ...(facts.heads.length < 2
      ? {}
      : {
          continuations: compareContinuations(place, facts.heads, {
            chosen: facts.record.id,
            position,
          }),
        }),
    ...outranking(place.checkout),
  };
  return { answer, chosen: { summary: facts.record, signed: facts.signed } };
}

/**
 * Says what resuming a record here would do, and why not (records.md 14.16). No network, nothing written.
 *
 * @throws MajordomusError 10 or 13 as {@link openContinuity} and the store do.
 */
export function planResume(
  checkout: Checkout,
  request: { record?: string | undefined },
  place: ContinuityPlace = openContinuity(checkout),
): PlanAnswer {
  return planIn(place, request.record).answer;
}
