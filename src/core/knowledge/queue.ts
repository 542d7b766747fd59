import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listKnowledge } from "../records/knowledge-store.ts";
import type { KnowledgeFile } from "../records/knowledge-store.ts";
import type { CandidatesAnswer } from "./answers.ts";
import { branchesOfEpisodes, episodeOf } from "./attribution.ts";
import { readStore } from "./view.ts";

/** Whether a record waits for a person. */
export function isAwaiting({ record }: KnowledgeFile): boolean {
  return record.status === "candidate";
}

function byAge(left: KnowledgeFile, right: KnowledgeFile): number {
  if (left.record.date !== right.record.date) return left.record.date < right.record.date ? -1 : 1;
  return left.stem < right.stem ? -1 : 1;
}

/** The review queue, oldest first, untracked candidates included; what is no record is named. */
export function readQueue(checkout: Checkout, all: boolean): CandidatesAnswer {
  const shown = (file: KnowledgeFile): boolean => all || isAwaiting(file);
  const store = readStore(checkout, shown, ["candidates"]);
  return {
    schema: 1,
    candidates: store.files
      .filter(shown)
      .toSorted(byAge)
      .map((file) => store.view(file)),
    awaiting: store.files.filter(isAwaiting).length,
    skipped: store.skipped.map(({ path, reason }) => ({ path: shownPath(checkout.root, path), reason })),
  };
}

export interface QueuedTitle {
  id: string;
  title: string;
}

/** What a briefing says of the queue (records.md 10): only what is of this branch, and what nobody can place. */
export interface QueueOfBranch {
  here: QueuedTitle[];
  /** Candidates whose episode is not known in this checkout. */
  unattributed: QueuedTitle[];
}

/** The queue of one branch; asks git nothing, and the ledger only where an episode is known by nothing else. */
export function queueOfBranch(checkout: Pick<Checkout, "layout" | "settings" | "branch">): QueueOfBranch {
  const files = listKnowledge(checkout, ["candidates"]).files.filter(isAwaiting).toSorted(byAge);
  const episodes = files.map(({ record }) => episodeOf(record)).filter((id) => id !== undefined);
  const branches = branchesOfEpisodes(checkout, episodes);
  const queue: QueueOfBranch = { here: [], unattributed: [] };
  for (const { stem, record } of files) {
    const episode = episodeOf(record);
    const branch = episode === undefined ? undefined : branches.get(episode);
    const entry = { id: stem, title: record.title };
    if (branch === undefined) queue.unattributed.push(entry);
    else if (branch === checkout.branch) queue.here.push(entry);
  }
  return queue;
}
