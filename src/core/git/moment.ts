import { isCommitId } from "../base/id.ts";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { askExisting } from "./ancestry-questions.ts";
import { byBytes } from "./byte-order.ts";
import type { CommitRange } from "./commits.ts";
import type { Ancestry } from "./divergence-index.ts";
import { HistoryGraph, LOG } from "./history-graph.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";
import { isShallow } from "./shallow.ts";
import { readWorkingTree } from "./status.ts";
import type { WorkingTree } from "./status.ts";

const QUESTION_MILLISECONDS = 10_000;

type Told = { graph: HistoryGraph; absent: ReadonlySet<string> } | { failure: string };

/**
 * What git says of a working copy at one moment, each question asked once: its state, how recorded commits
 * stand to HEAD, which commits and files came after them. All that was announced by `list` and `judge` is
 * answered by one process, so that a hook's steps can share what they know.
 */
export class Moment {
  readonly head: string | undefined;
  readonly #repository: Repository;
  readonly #listed: string[] = [];
  readonly #judged = new Set<string>();
  #tree: Result<WorkingTree, string> | undefined;
  #told: Told | undefined;
  readonly #changed = new Map<string, Result<string[], string>>();

  /** @param head the commit that everything is judged against; undefined before the first one. */
  constructor(repository: Repository, head: string | undefined) {
    this.#repository = repository;
    this.head = head;
  }

  /** Announces a commit after which commits and changed files will be asked for; the likely oldest first. */
  list(commit: string | undefined): this {
    if (this.#asks(commit) && !this.#listed.includes(commit)) {
      this.#listed.push(commit);
      this.#learnAbout(commit);
    }
    return this;
  }

  /** Announces commits whose relation to HEAD will be asked for. */
  judge(commits: Iterable<string | undefined>): this {
    for (const commit of commits) {
      if (!this.#asks(commit)) continue;
      this.#judged.add(commit);
      this.#learnAbout(commit);
    }
    return this;
  }

  /** The working tree against HEAD. */
  tree(): Result<WorkingTree, string> {
    this.#tree ??= readWorkingTree(this.#repository);
    return this.#tree;
  }

  /** How a recorded commit stands to HEAD. */
  ancestry(commit: string): Ancestry {
    if (this.head === undefined) return { relation: "unknown", reason: "no commits yet" };
    if (!isCommitId(commit)) return { relation: "unknown", reason: "not a full commit id" };
    if (commit === this.head) return { relation: "exact", reason: "this very commit" };
    this.judge([commit]);
    const told = this.#tell();
    if ("failure" in told) return { relation: "unknown", reason: told.failure };
    const shallow = isShallow(this.#repository);
    if (told.absent.has(commit)) {
      return shallow
        ? { relation: "unknown", reason: "the commit is not in this shallow clone" }
        : { relation: "absent", reason: "the commit is not in this repository" };
    }
    if (told.graph.reaches(commit)) return { relation: "ancestor", reason: "an ancestor of HEAD" };
    return shallow
      ? { relation: "unknown", reason: "the history is cut: this is a shallow clone" }
      : { relation: "not_ancestor", reason: "not in the history of HEAD" };
  }

  /** The commits that HEAD has and `commit` has not, oldest first. */
  since(commit: string): CommitRange {
    if (commit === this.head) return { state: "ok", commits: [] };
    this.list(commit);
    const { relation, reason } = this.ancestry(commit);
    if (relation === "unknown") return { state: "unknown", reason };
    if (relation !== "ancestor") return { state: "diverged", reason };
    const told = this.#tell();
    const known = "failure" in told ? undefined : told.graph.since(commit);
    if (known !== undefined) return { state: "ok", commits: known };
    // It lies below what was listed first: the one case that takes a process of its own.
    const deeper = this.#ask([commit]);
    if ("failure" in deeper) return { state: "unknown", reason: deeper.failure };
    return { state: "ok", commits: deeper.graph.since(commit) ?? [] };
  }

  /** The paths that differ between `commit` and HEAD, sorted bytewise; of a rename, the new name. */
  changedSince(commit: string): Result<string[], string> {
    if (commit === this.head) return ok([]);
    const known = this.#changed.get(commit);
    if (known !== undefined) return known;
    this.list(commit);
    const { relation, reason } = this.ancestry(commit);
    if (relation !== "ancestor") return failed(reason);
    const bases = this.#listed.filter(
      (base) => !this.#changed.has(base) && this.ancestry(base).relation === "ancestor",
    );
    const answers = askChanged(this.#repository, this.head ?? "", bases);
    for (const base of bases) {
      this.#changed.set(base, answers.ok ? ok(answers.value.get(base) ?? []) : answers);
    }
    return this.#changed.get(commit) ?? failed("git was not asked");
  }

  #asks(commit: string | undefined): commit is string {
    return commit !== undefined && isCommitId(commit) && commit !== this.head;
  }

  /** A question that was announced too late is asked again, with everything. */
  #learnAbout(commit: string): void {
    if (this.#told !== undefined && !("failure" in this.#told) && !this.#told.graph.asked.has(commit)) {
      this.#told = undefined;
    }
  }

  #tell(): Told {
    this.#told ??= this.#ask(this.#listed);
    return this.#told;
  }

  #ask(bases: readonly string[]): Told {
    const commits = [...new Set([...bases, ...this.#listed, ...this.#judged])];
    const first = askHistory(this.#repository, this.head ?? "", commits, bases[0]);
    if (first.ok) return { graph: first.value, absent: new Set() };
    const existing = askExisting(this.#repository, commits, QUESTION_MILLISECONDS);
    if (!existing.ok) return { failure: existing.error };
    const absent = new Set(commits.filter((commit) => !existing.value.has(commit)));
    if (absent.size === 0) return { failure: first.error };
    const left = commits.filter((commit) => !absent.has(commit));
    const base = bases.find((commit) => !absent.has(commit));
    const second = askHistory(this.#repository, this.head ?? "", left, base);
    if (!second.ok) return { failure: second.error };
    for (const commit of absent) second.value.asked.add(commit);
    return { graph: second.value, absent };
  }
}

/** One process: HEAD's history down to `base`, and whatever of the other commits is not below that. */
function askHistory(
  repository: Repository,
  head: string,
  commits: readonly string[],
  base: string | undefined,
): Result<HistoryGraph, string> {
  const from = base ?? head;
  const others = commits.filter((commit) => commit !== from);
  const input = `${[`${from}...${head}`, ...others].join("\n")}\n`;
  const outcome = runGit(repository, LOG, { input });
  if (outcome.status !== 0) return failed(reasonOfFailure(LOG, outcome));
  return ok(new HistoryGraph(head, from, [head, ...commits], outcome.stdout.toString("utf8")));
}

/** One process for any number of bases: each is given to git as the parent to compare HEAD with. */
function askChanged(
  repository: Repository,
  head: string,
  bases: readonly string[],
): Result<Map<string, string[]>, string> {
  const command = ["diff-tree", "--stdin", "-r", "-z", "-M", "--name-only", "--always", "--"];
  const outcome = runGit(repository, command, {
    input: bases.map((base) => `${head} ${base}\n`).join(""),
  });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const answers = new Map<string, string[]>();
  let block = -1;
  for (const field of outcome.stdout.toString("utf8").split("\0")) {
    if (field === head) block += 1;
    const base = bases[block];
    if (base === undefined || field === "") continue;
    const paths = answers.get(base) ?? [];
    if (field !== head) paths.push(field);
    answers.set(base, paths);
  }
  for (const paths of answers.values()) paths.sort(byBytes);
  return ok(answers);
}
