import { isCommitId } from "../base/id.ts";
import { ok } from "../base/result.ts";
import { askAncestors, askExisting, askGained } from "./ancestry-questions.ts";
import { historyStamp } from "./history-stamp.ts";
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

interface Answers {
  head: string | undefined;
  shallow: boolean;
  commitsAsked: number;
  known: ReadonlyMap<string, Ancestry>;
  /** What `historyStamp` said before git was asked. */
  stamp: string | undefined;
}

class Index implements DivergenceIndex {
  readonly head: string | undefined;
  readonly shallow: boolean;
  readonly commitsAsked: number;
  readonly known: ReadonlyMap<string, Ancestry>;
  readonly stamp: string | undefined;

  constructor({ head, shallow, commitsAsked, known, stamp }: Answers) {
    this.head = head;
    this.shallow = shallow;
    this.commitsAsked = commitsAsked;
    this.known = known;
    this.stamp = stamp;
  }

  of(commit: string): Ancestry {
    if (this.head === undefined) return NO_COMMITS;
    if (commit === this.head) return EXACT;
    if (!isCommitId(commit)) return unknown("not a full commit id");
    return this.known.get(commit) ?? unknown("git was not asked about this commit");
  }
}

/** One question to git about one HEAD. */
interface Question {
  repository: Repository;
  head: string;
  shallow: boolean;
  timeout: number;
}

/** Asks git about these commits, in at most two processes. */
function ask(question: Question, commits: readonly string[]): Map<string, Ancestry> {
  if (commits.length === 0) return new Map();
  const existing = askExisting(question.repository, commits, question.timeout);
  if (!existing.ok) return new Map(commits.map((commit) => [commit, unknown(existing.error)]));
  const here = commits.filter((commit) => existing.value.has(commit));
  const answers = askAboutExisting(question, here);
  for (const commit of commits) {
    if (!existing.value.has(commit)) answers.set(commit, question.shallow ? SHALLOW_ABSENT : ABSENT);
  }
  return answers;
}

/** Asks git, in one process, which of these commits HEAD does not reach. */
function askAboutExisting(
  { repository, head, shallow, timeout }: Question,
  here: readonly string[],
): Map<string, Ancestry> {
  if (here.length === 0) return new Map();
  const strangers = askAncestors(repository, head, here, timeout);
  if (!strangers.ok) return new Map(here.map((commit) => [commit, unknown(strangers.error)]));
  const strange = shallow ? SHALLOW_CUT : NOT_ANCESTOR;
  return new Map(here.map((commit) => [commit, strangers.value.has(commit) ? strange : ANCESTOR]));
}

/**
 * Goes on from what was known of an earlier HEAD: one process tells what the new one has gained, one whether the
 * others still exist. Only commits that were not known, or not here, are asked about as if for the first time.
 *
 * @returns undefined when the earlier HEAD is not in the history of the new one, or git does not say.
 */
function askAgain(
  question: Question,
  wanted: readonly string[],
  before: { head: string; known: ReadonlyMap<string, Ancestry> },
): { known: Map<string, Ancestry>; commitsAsked: number } | undefined {
  const { repository, head, shallow, timeout } = question;
  const gained =
    before.head === head ? ok(new Set<string>()) : askGained(repository, before.head, head, timeout);
  if (!gained.ok || gained.value === undefined) return undefined;
  const known = new Map<string, Ancestry>();
  const open: string[] = [];
  for (const commit of wanted) {
    const isAncestor = before.known.get(commit)?.relation === "ancestor" || commit === before.head;
    if (isAncestor || gained.value.has(commit)) known.set(commit, ANCESTOR);
    else open.push(commit);
  }
  if (open.length === 0) return { known, commitsAsked: 0 };
  const existing = askExisting(repository, open, timeout);
  if (!existing.ok) return undefined;
  const strange: string[] = [];
  for (const commit of open) {
    const earlier = before.known.get(commit);
    if (!existing.value.has(commit)) known.set(commit, shallow ? SHALLOW_ABSENT : ABSENT);
    else if (earlier === NOT_ANCESTOR || earlier === SHALLOW_CUT) known.set(commit, earlier);
    else strange.push(commit);
  }
  for (const [commit, ancestry] of askAboutExisting(question, strange)) known.set(commit, ancestry);
  return { known, commitsAsked: open.length };
}

/**
 * Judges any number of recorded commits against HEAD with two git processes: one that says which exist,
 * one that says which of those HEAD does not reach.
 *
 * @param commits recorded heads; what is not a full commit id never reaches git.
 * @param previous an index of the same repository. When its HEAD is an ancestor of the new one, git is only asked
 *   what is between the two, and which of its non-ancestors still exist; otherwise everything is asked again.
 */
export function indexDivergence(
  repository: Repository,
  head: string | undefined,
  commits: Iterable<string>,
  previous?: DivergenceIndex,
  options: IndexOptions = {},
): DivergenceIndex {
  // Before everything else: what changes meanwhile is a change to the next index.
  const stamp = head === undefined ? undefined : historyStamp(repository);
  const shallow = isShallow(repository);
  if (head === undefined) return new Index({ head, shallow, commitsAsked: 0, known: new Map(), stamp });
  const question = { repository, head, shallow, timeout: options.timeoutMilliseconds ?? 60_000 };
  const wanted = [...new Set(commits)].filter((commit) => isCommitId(commit) && commit !== head);
  if (
    previous instanceof Index &&
    previous.head !== undefined &&
    stamp !== undefined &&
    previous.stamp === stamp
  ) {
    const again = askAgain(question, wanted, { head: previous.head, known: previous.known });
    if (again !== undefined) return new Index({ head, shallow, stamp, ...again });
  }
  return new Index({ head, shallow, stamp, known: ask(question, wanted), commitsAsked: wanted.length });
}
