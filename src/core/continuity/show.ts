import * as z from "zod/mini";
import type { Checkout } from "../checkout/checkout.ts";
import { recordPath } from "./admission.ts";
import { compareContinuations } from "./continuations.ts";
import { findRecord } from "./find-record.ts";
import { positionHere } from "./compose.ts";
import { Lineage } from "./lineage.ts";
import { Continuation } from "./plan-answer.ts";
import { openContinuity, recallState } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { readStored } from "./stored-record.ts";
import { readStore, STORE_REFERENCE } from "./store.ts";
import { RecordView, recordViewer } from "./views.ts";

const text = z.string();

export const ShowInput = z.strictObject({ record: text });

export const ShowAnswer = z.object({
  record: RecordView,
  reference: text,
  /** Its file below the reference. */
  path: text,
  /** Everything that was signed, with its key and signature. */
  signed: z.object({
    id: text,
    public_key: text,
    signature: text,
    /** As it was signed: a ContinuityRecord. */
    record: z.looseObject({}),
  }),
  lineage: z.object({
    line: text,
    state: z.enum(["linear", "diverged"]),
    /** From this record back to the first of its line, as far as it is here. */
    chain: z.array(text),
    /** What goes on from it. */
    children: z.array(text),
    heads: z.array(text),
  }),
  /** All ways in which the line was gone on with, where there are several. */
  continuations: z.optional(z.array(Continuation)),
});
export type ShowAnswer = z.infer<typeof ShowAnswer>;

/** A chain is shown so far back. */
const SHOWN_CHAIN = 200;

/**
 * One record whole, and its place in its line.
 *
 * @throws MajordomusError 12, 10 or 2 where no one record is named.
 */
export function showRecord(
  checkout: Checkout,
  request: { record: string },
  place: ContinuityPlace = openContinuity(checkout),
): ShowAnswer {
  const store = readStore(place.store);
  const record = findRecord(store, request.record);
  const signed = readStored(place, record);
  const lineage = new Lineage(store.records);
  const heads = lineage.heads(record.line);
  const position = positionHere(place, store, recallState(place)).record?.id;
  const summaries = heads.flatMap((id) => store.records.get(id) ?? []);
  return {
    record: recordViewer(place)(record),
    reference: STORE_REFERENCE,
    path: recordPath(record.id),
    signed: { ...signed, record: { ...signed.record } },
    lineage: {
      line: record.line,
      state: heads.length > 1 ? "diverged" : "linear",
      chain: [...lineage.chain(record.id)].slice(0, SHOWN_CHAIN),
      children: [...store.records.values()].filter(({ parent }) => parent === record.id).map(({ id }) => id),
      heads: [...heads],
    },
    ...(heads.length < 2
      ? {}
      : { continuations: compareContinuations(place, summaries, { chosen: record.id, position }) }),
  };
}
