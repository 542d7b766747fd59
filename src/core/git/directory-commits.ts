import { isCommitId } from "../base/id.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { byBytes } from "./byte-order.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";
import { isShallow } from "./shallow.ts";
import { SpanGraph } from "./span-graph.ts";

/** A piece of history: what `to` has and `from` has not. */
export interface Span {
  from: string;
  to: string;
}

/** What happened below some directories in one span. */
export interface SpanTouches {
  /** Full ids, oldest first; merges are left out, for they only bring together what others did. */
  commits: string[];
  /** Paths that these commits touched and did not remove again, sorted bytewise. */
  paths: string[];
  /** Git could not tell: the history is cut, or a commit is not here. Then nothing is listed. */
  unknown: boolean;
}

export interface TouchOptions {
  /** For each process. @default 60_000 */
  timeoutMilliseconds?: number;
  /** What is known already of one lone span: that its beginning is an ancestor of its end. Saves a process. */
  isAncestor?: boolean;
}

/** A commit's changes below the directories: `D` for a path that it removed. */
type Changes = readonly { status: string; path: string }[];

const MINUTE = 60_000;
const NOTHING: SpanTouches = { commits: [], paths: [], unknown: false };
const UNKNOWN: SpanTouches = { commits: [], paths: [], unknown: true };
/** Prints NUL, id, NUL, newline and status and path with a NUL each; no setting of the person's may change that. */
const LOG =
  "--literal-pathspecs -c log.showRoot=true log --ignore-missing --stdin -z --topo-order --full-history " +
  "--no-merges --no-renames --no-relative --name-status --no-show-signature --no-color --format=tformat:%x00%H --";

/** A path that could end a line, and so a value of ours, is none that can be named. */
function isNameable(path: string): boolean {
  return !/\p{Cc}|\ufffd/u.test(path);
}

/** Reads the log's output: commits, children before parents, with what they changed. */
function readChanges(output: string): Map<string, Changes> {
  const touching = new Map<string, Changes>();
  let changes: { status: string; path: string }[] = [];
  const fields = output.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [first = "", second = ""] = [fields[index], fields[index + 1]];
    if (first === "" && isCommitId(second)) {
      changes = [];
      touching.set(second, changes);
    } else changes.push({ status: first.replace(/^\n/, ""), path: second });
  }
  return touching;
}

/** The commits that these revisions name, merges left out, that touch a directory. One process. */
function askTouching(
  repository: Repository,
  revisions: readonly string[],
  directories: readonly string[],
  timeoutMilliseconds: number,
): Result<Map<string, Changes>, string> {
  const command = [...LOG.split(" "), ...directories];
  const outcome = runGit(repository, command, { input: `${revisions.join("\n")}\n`, timeoutMilliseconds });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  return ok(readChanges(outcome.stdout.toString("utf8")));
}

/** @param commits oldest first */
function sumUp(commits: readonly string[], touching: ReadonlyMap<string, Changes>): SpanTouches {
  const last = new Map<string, string>();
  for (const commit of commits) {
    for (const { status, path } of touching.get(commit) ?? []) last.set(path, status);
  }
  const paths = [...last]
    .filter(([path, status]) => status !== "D" && isNameable(path))
    .map(([path]) => path);
  return { commits: [...commits], paths: paths.toSorted(byBytes), unknown: false };
}

/**
 * The commits of each span that touch one of the directories, and the paths that they did not remove again.
 * One process for any number of spans where nothing was touched, two otherwise. A span whose beginning is no
 * ancestor of its end has none. Fails where git does not answer, for then nobody knows.
 *
 * @param directories relative to the root, with slashes.
 * @returns the answers in the order of the spans.
 */
export function touchesInSpans(
  repository: Repository,
  spans: readonly Span[],
  directories: readonly string[],
  options: TouchOptions = {},
): Result<SpanTouches[], string> {
  const timeout = options.timeoutMilliseconds ?? MINUTE;
  const asked = new Set(spans.filter(({ from, to }) => isCommitId(from) && isCommitId(to) && from !== to));
  const tips = [...new Set([...asked].map(({ to }) => to))];
  const [first] = asked;
  if (first === undefined) return ok(spans.map(() => NOTHING));
  const lone = options.isAncestor === true && spans.length === 1;
  const revisions = lone ? [first.to, `^${first.from}`] : tips;
  const touching = askTouching(repository, revisions, directories, timeout);
  if (!touching.ok) return touching;
  if (lone) return ok([sumUp([...touching.value.keys()].toReversed(), touching.value)]);
  const shallow = isShallow(repository);
  if (touching.value.size === 0 && !shallow) return ok(spans.map(() => NOTHING));
  const graph = SpanGraph.read(repository, tips, timeout);
  if (!graph.ok) return graph;
  return ok(
    spans.map((span) => {
      if (!asked.has(span)) return NOTHING;
      const range = graph.value.between(span.from, span.to);
      if (range === undefined) return shallow || !graph.value.has(span.to) ? UNKNOWN : NOTHING;
      return sumUp(
        range.filter((id) => touching.value.has(id)),
        touching.value,
      );
    }),
  );
}
