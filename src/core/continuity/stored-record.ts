import { EXIT, MajordomusError } from "../base/error.ts";
import { readBlobs } from "../git/blobs.ts";
import { admitRecord, recordPath } from "./admission.ts";
import type { Admission } from "./admission.ts";
import type { ContinuityPlace } from "./place.ts";
import { LIMITS } from "./record.ts";
import type { SignedRecord, SourceState } from "./record.ts";
import { isSameState } from "./source-state.ts";
import type { RecordSummary } from "./summary.ts";

type Place = Pick<ContinuityPlace, "store" | "repositoryId">;

/** Judges one record of the store again, from its bytes. */
export function judgeStored(place: Place, { id, blob }: Pick<RecordSummary, "id" | "blob">): Admission {
  let admission: Admission | undefined;
  readBlobs(place.store.repository, [blob], LIMITS.file * 2, (_, content) => {
    admission = admitRecord(recordPath(id), content, place.repositoryId);
  });
  return admission ?? { ok: false, code: "continuity.record_malformed", message: "cannot be read" };
}

/**
 * Reads one admitted record whole.
 *
 * @throws MajordomusError 10 where its bytes no longer hold.
 */
export function readStored(place: Place, summary: Pick<RecordSummary, "id" | "blob">): SignedRecord {
  const admission = judgeStored(place, summary);
  if (admission.ok) return admission.signed;
  const { code, message } = admission;
  throw new MajordomusError({ code, exit: EXIT.finding, subject: summary.id, message });
}

/** Whether a record was published in this very state of the work tree. */
export function sameSource(place: Place, summary: RecordSummary, source: SourceState): boolean {
  if (summary.head !== source.head || summary.branch !== source.branch) return false;
  const stored = judgeStored(place, summary);
  return stored.ok && isSameState(stored.signed.record.source, source);
}
