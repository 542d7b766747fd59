import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { ensureDevice } from "../device/device-key.ts";
import type { HeldLock } from "../fs/lock.ts";
import { admitRecord, recordPath } from "./admission.ts";
import type { PublishAnswer } from "./answers.ts";
import { composeRecord, positionHere } from "./compose.ts";
import type { Draft, PublishRequest } from "./compose.ts";
import { refuseLinted, refuseUnportable, writtenTexts } from "./departure.ts";
import { locateHandover } from "./locate-handover.ts";
import { openContinuity, recallState, whilePositioned } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { putBack, rememberPublished } from "./published.ts";
import type { SourceState } from "./record.ts";
import { formatSignedRecord, signRecord } from "./signed-record.ts";
import { readSourceState } from "./source-state.ts";
import { sameSource } from "./stored-record.ts";
import { judgeForAdding, readStore } from "./store.ts";
import type { RecordSummary } from "./summary.ts";
import { takePublishedPosition } from "./take-position.ts";
import { addPublication, endPublication, settlePublications } from "./unfinished.ts";
import { recordViewer } from "./views.ts";
import type { RecordFile } from "./write-store.ts";

const NEXT = ["majordomus continuity sync"];
/** A record that nobody signed yet; as long as one of a device. */
const NOBODY = { node: "0".repeat(32), label: "0".repeat(8) };
/** How often the texts may change under our eyes. */
const ATTEMPTS = 5;

/** The place as it is now: a machine's first key may have been made since it was opened, here or by another process. */
function withKey(place: ContinuityPlace): ContinuityPlace {
  return place.device === undefined ? openContinuity(place.checkout) : place;
}

function draftOf(place: ContinuityPlace, request: PublishRequest, source: SourceState): Draft {
  const facts = { store: readStore(place.store), state: recallState(place) };
  return composeRecord(place, request, place.device ?? NOBODY, source, facts);
}

/**
 * The record of this device that says all of this already: the position itself, or one that was published
 * from here by a run that did not come to its end.
 */
function standing(
  place: ContinuityPlace,
  draft: Draft,
  records: Iterable<RecordSummary>,
): RecordSummary | undefined {
  const { position, record } = draft;
  const node = place.device?.node;
  const parent = position?.id;
  const candidates = [...records].filter(
    (candidate) =>
      candidate.node === node &&
      candidate.handoverId === record.handover.id &&
      (candidate.id === parent || candidate.parent === parent),
  );
  return candidates.find((candidate) => sameSource(place, candidate, record.source));
}

function signAndAdd(place: ContinuityPlace, request: PublishRequest, source: SourceState): RecordFile {
  const { checkout } = place;
  const device = ensureDevice(checkout);
  const facts = { store: readStore(place.store), state: recallState(place) };
  const { record } = composeRecord(place, request, device, source, facts);
  refuseUnportable(place, record);
  const signed = signRecord(record, device);
  const bytes = Buffer.from(formatSignedRecord(signed));
  // What no reader would take is not published.
  const admission = admitRecord(recordPath(signed.id), { state: "read", bytes }, place.repositoryId);
  if (!admission.ok) {
    throw new MajordomusError({
      code: admission.code,
      exit: EXIT.finding,
      subject: "record",
      message: admission.message,
      remedy: "nothing was published",
    });
  }
  addPublication(place, signed, bytes);
  return { id: signed.id, bytes };
}

/** What follows when a record is in the store: it is remembered, and this branch stands on it. */
function concludePublication(
  place: ContinuityPlace,
  id: string,
  added: RecordFile | undefined,
  lock: HeldLock,
): RecordSummary {
  try {
    if (added !== undefined) rememberPublished(place, added);
    const record = takePublishedPosition(place, place.checkout.branch, id, lock);
    endPublication(place, id);
    return record;
  } catch (error) {
    throw new MajordomusError({
      code: "continuity.half_published",
      exit: EXIT.internal,
      subject: id,
      message: `is published, but this branch's position was not saved: ${reasonOf(error)}`,
      remedy: "publish again: it completes this one and writes no second record",
      cause: error,
    });
  }
}

/** The parts of publishing that must not be done by two at once; undefined where the texts have changed since they were judged. */
function publishPositioned(
  place: ContinuityPlace,
  request: PublishRequest,
  source: SourceState,
  judged: ReadonlyMap<string, string>,
  lock: HeldLock,
): PublishAnswer | undefined {
  putBack(place);
  settlePublications(place, lock);
  const draft = draftOf(place, request, source);
  if ([...writtenTexts(draft.record).keys()].some((text) => !judged.has(text))) return undefined;
  const known = standing(place, draft, readStore(place.store).records.values());
  const state = recallState(place);
  const added = known === undefined ? signAndAdd(place, request, source) : undefined;
  const id = known?.id ?? added?.id ?? "";
  const stands = known !== undefined && positionHere(place, readStore(place.store), state).record?.id === id;
  const record = stands ? known : concludePublication(place, id, added, lock);
  // The first publication has made a key meanwhile.
  const view = recordViewer(withKey(place));
  const tip = readStore(place.store).tip;
  return {
    record: view(record),
    written: added !== undefined,
    ...(tip === undefined ? {} : { tip }),
    handover: shownPath(place.checkout.root, draft.handover.path),
    next: NEXT,
  };
}

/**
 * Publishes a handover into this repository's own store: signed by this device, and refused when it carries
 * what may not leave the machine. Uses no network and appends to no ledger (records.md 14.11).
 *
 * @throws MajordomusError 10 where it is refused, and nothing was written then; 13 naming what was done.
 */
export async function publishHandover(checkout: Checkout, request: PublishRequest): Promise<PublishAnswer> {
  // Nothing is made, not even a key, where there is nothing to publish.
  locateHandover(checkout, request.handover);
  let place = openContinuity(checkout);
  await judgeForAdding(place.store);
  const judged = new Map<string, string>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    place = withKey(place);
    const source = readSourceState(checkout, { fingerprint: true });
    const { record } = draftOf(place, request, source);
    refuseUnportable(place, record);
    const fresh = new Map([...writtenTexts(record)].filter(([text]) => !judged.has(text)));
    await refuseLinted(fresh);
    for (const [text, pointer] of fresh) judged.set(text, pointer);
    const answer = whilePositioned(place, (lock) =>
      publishPositioned(withKey(place), request, source, judged, lock),
    );
    if (answer !== undefined) return answer;
  }
  throw new MajordomusError({
    code: "continuity.restless",
    exit: EXIT.internal,
    message: "the handover, task or decisions change faster than they can be judged",
    remedy: "publish again",
  });
}
