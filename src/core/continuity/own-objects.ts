import { join } from "node:path";
import { appendLines } from "../fs/append.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { isCommitId } from "../base/id.ts";
import { looseAmong, packObjects } from "../git/loose-objects.ts";
import type { ContinuityPlace } from "./place.ts";

/** Above so many loose objects of ours they go into a pack: git's own clean-up must not be woken by us. */
const LOOSE = 500;
const MAXIMUM_BYTES = 8 * 1024 * 1024;

/**
 * Notes objects that we made or fetched, and packs those that are still loose when there are too many. What
 * goes wrong here harms nothing: they are packed another time, or by git.
 */
export function noteObjects({ checkout }: Pick<ContinuityPlace, "checkout">, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const directory = join(checkout.common.root, "continuity");
  const notes = join(directory, "objects");
  try {
    makeDirectory(directory, 0o700);
    appendLines(notes, ids, { mode: 0o600 });
    const text = readText(notes, { maximumBytes: MAXIMUM_BYTES });
    const noted = text.ok ? text.value.split("\n").filter(isCommitId) : [];
    if (noted.length <= LOOSE) return;
    const loose = looseAmong(checkout.repository, noted);
    if (loose.length > LOOSE) {
      packObjects(checkout.repository, loose);
      writeAtomic(notes, "", { mode: 0o600 });
    } else {
      writeAtomic(notes, loose.map((id) => `${id}\n`).join(""), { mode: 0o600 });
    }
  } catch {
    // The records themselves stand.
  }
}
