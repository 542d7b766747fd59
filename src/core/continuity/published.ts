import { join } from "node:path";
import { readRegularFile, listDirectory } from "../fs/read.ts";
import { createExclusive, makeDirectory } from "../fs/write.ts";
import { admitRecord, recordPath } from "./admission.ts";
import type { ContinuityPlace } from "./place.ts";
import { LIMITS } from "./record.ts";
import { readStore } from "./store.ts";
import type { Store } from "./store.ts";
import { addRecords } from "./write-store.ts";
import type { RecordFile } from "./write-store.ts";

/** What such a file is called. */
export const RECORD_ID = /^[0-9a-f]{32}$/;

/** Remembers, outside the reference and on disk, what this machine published: the reference has moved already. */
export function rememberPublished({ memory }: Pick<ContinuityPlace, "memory">, file: RecordFile): void {
  makeDirectory(memory.published, 0o700);
  createExclusive(join(memory.published, file.id), file.bytes, { mode: 0o600, durable: true });
}

/** What this machine published and the store has no more, because something else moved or deleted the reference. */
export function lostRecords(
  place: Pick<ContinuityPlace, "memory" | "repositoryId">,
  store: Store,
): RecordFile[] {
  const standing = new Set(store.entries.map(({ name }) => name));
  return listDirectory(place.memory.published)
    .filter((id) => RECORD_ID.test(id) && !standing.has(`${id}.json`))
    .flatMap((id) => {
      const bytes = readRegularFile(join(place.memory.published, id), { maximumBytes: LIMITS.file });
      if (!bytes.ok) return [];
      // What was published under another identity of this repository stays remembered.
      const admission = admitRecord(
        recordPath(id),
        { state: "read", bytes: bytes.value },
        place.repositoryId,
      );
      return admission.ok ? [{ id, bytes: bytes.value }] : [];
    });
}

/** Puts back what was lost (promise 30); the ids. */
export function putBack(place: ContinuityPlace): string[] {
  const lost = lostRecords(place, readStore(place.store));
  if (lost.length === 0) return [];
  return addRecords(place, lost, `majordomus continuity: put back ${lost.length}\n`).added;
}
