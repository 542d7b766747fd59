import { formatTimestamp } from "../base/time.ts";
import { VERSION } from "../base/version.ts";
import type { FlatFields } from "../text/flat-yaml.ts";
import type { ContinuityState, Position } from "../records/continuity-cache.ts";
import { locateHandover } from "./locate-handover.ts";
import type { LocatedHandover } from "./locate-handover.ts";
import type { ContinuityPlace } from "./place.ts";
import { RECORD_SCHEMA } from "./record.ts";
import type { ContinuityRecord, SourceState, TravellingHandover } from "./record.ts";
import { digestOf } from "./signed-record.ts";
import type { Store } from "./store.ts";
import type { RecordSummary } from "./summary.ts";
import { openSession, travellingDecisions, travellingTask } from "./travelling-work.ts";

/** What a person says when publishing. */
export interface PublishRequest {
  /** A file name in the store of handovers; the newest one when absent. */
  handover?: string | undefined;
  issue?: string | undefined;
  milestone?: string | undefined;
}

/** A record that could be signed, and what it was made of. */
export interface Draft {
  handover: LocatedHandover;
  record: ContinuityRecord;
  /** What it goes on from: the record of this branch's position, where the store has it. */
  position: RecordSummary | undefined;
}

/** The record at which this branch of this checkout stands, where the store has it. */
export function positionHere(
  place: Pick<ContinuityPlace, "checkout">,
  store: Pick<Store, "records">,
  state: Pick<ContinuityState, "branches">,
): { position: Position | undefined; record: RecordSummary | undefined } {
  const position = state.branches.get(place.checkout.branch);
  return { position, record: position === undefined ? undefined : store.records.get(position.record) };
}

function field(fields: FlatFields, key: string): string | undefined {
  const value = fields.get(key);
  if (typeof value !== "string") return undefined;
  return value === "" || value.toLowerCase() === "none" ? undefined : value;
}

function composeHandover(
  { fields, body, name }: LocatedHandover,
  { issue, milestone }: Pick<PublishRequest, "issue" | "milestone">,
): TravellingHandover {
  const branch = field(fields, "branch");
  const named: Partial<TravellingHandover> = {};
  const task = field(fields, "task_id");
  const head = field(fields, "head");
  const createdAt = field(fields, "created_at");
  if (task !== undefined) named.task = task;
  if (issue !== undefined) named.issue = issue;
  if (milestone !== undefined) named.milestone = milestone;
  if (branch !== undefined && branch !== "DETACHED") named.branch = branch;
  if (head !== undefined) named.head = head;
  if (createdAt !== undefined) named.created_at = createdAt;
  return { id: digestOf(body), ...named, name, body };
}

/**
 * Composes the record of a handover from git and the stores (records.md 14.11), in the order in which its
 * file is written. Nothing is written.
 *
 * @throws MajordomusError 10 where there is no handover that can be published.
 */
export function composeRecord(
  place: ContinuityPlace,
  request: PublishRequest,
  device: { node: string; label: string },
  source: SourceState,
  { store, state }: { store: Store; state: ContinuityState },
): Draft {
  const { checkout } = place;
  const located = locateHandover(checkout, request.handover);
  const { record: position } = positionHere(place, store, state);
  const handover = composeHandover(located, {
    issue: request.issue ?? position?.issue,
    milestone: request.milestone ?? position?.milestone,
  });
  const task = handover.task === undefined ? undefined : travellingTask(checkout, handover.task);
  const decisions = handover.task === undefined ? [] : travellingDecisions(checkout, handover.task);
  const session = openSession(checkout);
  const record: ContinuityRecord = {
    schema: RECORD_SCHEMA,
    repository: place.repositoryId,
    device: { node: device.node, label: device.label },
    ...(session === undefined ? {} : { session }),
    episode: session === undefined ? "none" : "open",
    ...(position === undefined ? {} : { line: position.line, parent: position.id }),
    published_at: formatTimestamp(checkout.clock.now()),
    producer: VERSION,
    source,
    ...(task === undefined ? {} : { task }),
    ...(decisions.length === 0 ? {} : { decisions }),
    handover,
  };
  return { handover: located, record, position };
}
