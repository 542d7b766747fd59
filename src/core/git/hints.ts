import { isCommitId } from "../base/id.ts";
import { patchIds, touchedPaths, type Change } from "./patch-ids.ts";
import type { Repository } from "./repository.ts";
import { gitText } from "./run.ts";

/** What git can prove about a commit that is not in HEAD's history: it stands beside a label, never in its place. */
export interface Hints {
  /** A commit in HEAD's history that makes the same change. */
  rebased_to?: string;
  /** A commit on HEAD's first-parent line that makes all the changes since the branch forked at once. */
  merged_as?: string;
}

/** How far back HEAD's history is searched. */
export const HINT_COMMITS = 2_000;

interface History {
  /** Newest first, merges left out. */
  commits: string[];
  firstParents: Set<string>;
}

function readHistory(repository: Repository, head: string, base: string | undefined): History | undefined {
  const range = base === undefined ? [head] : [head, `^${base}`];
  const listed = gitText(repository, [
    "rev-list",
    "--parents",
    "--topo-order",
    `--max-count=${HINT_COMMITS}`,
    ...range,
  ]);
  if (!listed.ok) return undefined;
  const commits: string[] = [];
  const firstParents = new Set<string>();
  let next: string | undefined = head;
  for (const line of listed.value.split("\n")) {
    const [commit, first, ...others] = line.split(" ");
    if (commit === undefined || commit === "") continue;
    if (others.length === 0) commits.push(commit);
    if (commit !== next) continue;
    firstParents.add(commit);
    next = first;
  }
  return { commits, firstParents };
}

/** The newest commit among `commits` that makes the same change as `change`. */
function sameChange(
  repository: Repository,
  change: Change,
  commits: readonly string[],
  touched: ReadonlyMap<string, string>,
): string | undefined {
  const paths = touchedPaths(repository, [change]);
  const own = paths.ok ? paths.value.get(change.commit) : undefined;
  if (own === undefined) return undefined;
  // The same change touches the same paths: only such commits are worth a whole diff.
  const likely = commits.filter((commit) => touched.get(commit) === own);
  if (likely.length === 0) return undefined;
  const wanted = patchIds(repository, [change]);
  const found = patchIds(
    repository,
    likely.map((commit) => ({ commit })),
  );
  if (!wanted.ok || !found.ok) return undefined;
  const id = wanted.value.get(change.commit);
  return id === undefined ? undefined : likely.find((commit) => found.value.get(commit) === id);
}

/**
 * Looks for what became of a recorded commit after a rebase or a squash, by equal
 * `git patch-id --stable` (decisions.md 4). For the one selected record: about ten processes.
 *
 * @returns no hint where git proves none, where the commit is gone, or where HEAD already has it.
 */
export function hintsFor(repository: Repository, recorded: string, head: string): Hints {
  if (!isCommitId(recorded) || !isCommitId(head) || recorded === head) return {};
  const merged = gitText(repository, ["merge-base", recorded, head]);
  const base = merged.ok && isCommitId(merged.value) ? merged.value : undefined;
  if (base === recorded) return {};
  const history = readHistory(repository, head, base);
  if (history === undefined || history.commits.length === 0) return {};
  const touched = touchedPaths(
    repository,
    history.commits.map((commit) => ({ commit })),
  );
  if (!touched.ok) return {};
  const rebased = sameChange(repository, { commit: recorded }, history.commits, touched.value);
  const line = history.commits.filter((commit) => history.firstParents.has(commit));
  const squashed =
    base === undefined
      ? undefined
      : sameChange(repository, { commit: recorded, against: base }, line, touched.value);
  return {
    ...(rebased === undefined ? {} : { rebased_to: rebased }),
    ...(squashed === undefined ? {} : { merged_as: squashed }),
  };
}
