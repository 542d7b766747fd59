import { indexDivergence } from "./divergence-index.ts";
import type { DivergenceIndex } from "./divergence-index.ts";
import type { Repository } from "./repository.ts";

/**
 * The last index of this process (or worker thread) for each working copy: who asks again after HEAD moved on has
 * git asked about what came since. A cache like any other: dropping it costs time and nothing else.
 */
const known = new Map<string, DivergenceIndex>();
const MAXIMUM_WORKING_COPIES = 16;

/** `indexDivergence`, from what was last known of the same working copy on. */
export function knownDivergence(
  repository: Repository,
  head: string | undefined,
  commits: Iterable<string>,
): DivergenceIndex {
  const index = indexDivergence(repository, head, commits, known.get(repository.gitDir));
  known.delete(repository.gitDir);
  known.set(repository.gitDir, index);
  const oldest = known.keys().next();
  if (known.size > MAXIMUM_WORKING_COPIES && oldest.done !== true) known.delete(oldest.value);
  return index;
}
