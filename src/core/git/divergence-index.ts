import { isCommitId } from "../base/id.ts";
import { askAncestors, askExisting } from "./ancestry-questions.ts";
import { isShallow } from "./shallow.ts";
import type { Repository } from "./repository.ts";

/** How one recorded commit relates to one HEAD. */
export interface Ancestry {
  relation: "exact" | "ancestor" | "not_ancestor" | "absent" | "unknown";
  /** Always there, one clause for a person. */
  reason: string;
}

/** Many commits judged against one HEAD at once. */
export interface DivergenceIndex {
  readonly head: string | undefined;
  readonly shallow: boolean;
  /** The commits that git was asked about this time. */
  readonly commitsAsked: number;
  /** `unknown` for a commit that is neither HEAD nor was among the indexed ones. */
  of(commit: string): Ancestry;
}

export interface IndexOptions {
  /** For each of the two processes. @default 60_000 */
  timeoutMilliseconds?: number;
}

const EXACT: Ancestry = { relation: "exact", reason: "this very commit" };
const ANCESTOR: Ancestry = { relation: "ancestor", reason: "an ancestor of HEAD" };
const NOT_ANCESTOR: Ancestry = { relation: "not_ancestor", reason: "not in the history of HEAD" };
const ABSENT: Ancestry = { relation: "absent", reason: "the commit is not in this repository" };
const SHALLOW_ABSENT = unknown("the commit is not in this shallow clone");
const SHALLOW_CUT = unknown("the history is cut: this is a shallow clone");
const NO_COMMITS = unknown("no commits yet");

function unknown(reason: string): Ancestry {
  return { relation: "unknown", reason };
}

class Index implements DivergenceIndex {
  readonly head: string | undefined;
  readonly shallow: boolean;
  readonly commitsAsked: number;
  readonly known: ReadonlyMap<string, Ancestry>;

  constructor(
    head: string | undefined,
    shallow: boolean,
    asked: number,
    known: ReadonlyMap<string, Ancestry>,
  ) {
    this.head = head;
    this.shallow = shallow;
    this.commitsAsked = asked;
    this.known = known;
  }

  of(commit: string): Ancestry {
    if (this.head === undefined) return NO_COMMITS;
    if (commit === this.head) return EXACT;
    if (!isCommitId(commit)) return unknown("not a full commit id");
    return this.known.get(commit) ?? unknown("git was not asked about this commit");
  }
}

/** Asks git about these commits, in at most two processes. */
function ask(
  repository: Repository,
  head: string,
  commits: readonly string[],
  shallow: boolean,
  timeoutMilliseconds: number,
): Map<string, Ancestry> {
  const answers = new Map<string, Ancestry>();
  if (commits.length === 0) return answers;
  const existing = askExisting(repository, commits, timeoutMilliseconds);
  if (!existing.ok) return new Map(commits.map((commit) => [commit, unknown(existing.error)]));
  const here = commits.filter((commit) => existing.value.has(commit));
  const strangers = here.length === 0 ? undefined : askAncestors(repository, head, here, timeoutMilliseconds);
  for (const commit of commits) {
    if (!existing.value.has(commit)) answers.set(commit, shallow ? SHALLOW_ABSENT : ABSENT);
    else if (strangers?.ok === false) answers.set(commit, unknown(strangers.error));
    else if (strangers?.value.has(commit)) answers.set(commit, shallow ? SHALLOW_CUT : NOT_ANCESTOR);
    else answers.set(commit, ANCESTOR);
  }
  return answers;
}

/** What an earlier index has settled for good, provided that its HEAD is in the history of the new one. */
function settled(previous: Index): Set<string> {
  const commits = [...previous.known].filter(([, { relation }]) => relation === "ancestor");
  return new Set(commits.map(([commit]) => commit));
}

/**
 * Judges any number of recorded commits against HEAD with two git processes: one that says which exist,
 * one that says which of those HEAD does not reach.
 *
 * @param commits recorded heads; what is not a full commit id never reaches git.
 * @param previous an index of the same repository. When its HEAD is an ancestor of the new one, only its
 *   non-ancestors and the new commits are asked about; otherwise everything is asked again.
 */
export function indexDivergence(
  repository: Repository,
  head: string | undefined,
  commits: Iterable<string>,
  previous?: DivergenceIndex,
  options: IndexOptions = {},
): DivergenceIndex {
  const shallow = isShallow(repository);
  if (head === undefined) return new Index(head, shallow, 0, new Map());
  const timeout = options.timeoutMilliseconds ?? 60_000;
  const wanted = new Set([...commits].filter((commit) => isCommitId(commit) && commit !== head));
  if (!(previous instanceof Index) || previous.head === undefined) {
    const answers = ask(repository, head, [...wanted], shallow, timeout);
    return new Index(head, shallow, wanted.size, answers);
  }
  const kept = settled(previous);
  const open = new Set([...wanted].filter((commit) => !kept.has(commit)));
  const moved = previous.head !== head;
  if (moved) open.add(previous.head);
  const answers = ask(repository, head, [...open], shallow, timeout);
  if (!moved || answers.get(previous.head)?.relation === "ancestor") {
    for (const commit of wanted) if (!answers.has(commit)) answers.set(commit, ANCESTOR);
    return new Index(head, shallow, open.size, answers);
  }
  // History was rewritten or the branch was switched: nothing that was known of the old HEAD holds here.
  const rest = [...wanted].filter((commit) => !answers.has(commit));
  for (const [commit, ancestry] of ask(repository, head, rest, shallow, timeout))
    answers.set(commit, ancestry);
  return new Index(head, shallow, open.size + rest.length, answers);
}
