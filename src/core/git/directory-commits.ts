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
  /** Paths that these commits touched and that `to` still has, sorted bytewise. */
  paths: string[];
  /** Git could not tell: the history is cut, or a commit is not here. Then nothing is listed. */
  unknown: boolean;
}

export interface TouchOptions {
  /** For each process. @default 60_000 */
  timeoutMilliseconds?: number;
}

const MINUTE = 60_000;
/** Prints NUL, id, NUL, newline and the paths with a NUL each; no setting of the person's may change that. */
const LOG =
  "--literal-pathspecs -c log.showRoot=true log --ignore-missing --stdin -z --full-history --no-merges " +
  "--no-renames --no-relative --name-only --no-show-signature --no-color --format=tformat:%x00%H --";
const NOTHING: SpanTouches = { commits: [], paths: [], unknown: false };
const UNKNOWN: SpanTouches = { commits: [], paths: [], unknown: true };

/** A path that could end a line of git's input, or a value of ours, is none that can be named. */
function isNameable(path: string): boolean {
  return !/\p{Cc}|\ufffd/u.test(path);
}

/** Every commit of these histories, merges left out, that touches a directory, with the paths. One process. */
function askTouching(
  repository: Repository,
  tips: readonly string[],
  directories: readonly string[],
  timeoutMilliseconds: number,
): Result<Map<string, string[]>, string> {
  const command = [...LOG.split(" "), ...directories];
  const outcome = runGit(repository, command, { input: `${tips.join("\n")}\n`, timeoutMilliseconds });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const touching = new Map<string, string[]>();
  let paths: string[] = [];
  const fields = outcome.stdout.toString("utf8").split("\0");
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? "";
    const id = field === "" ? fields[index + 1] : undefined;
    if (id !== undefined && isCommitId(id)) {
      paths = [];
      touching.set(id, paths);
      index += 1;
    } else if (field !== "") paths.push(field.replace(/^\n/, ""));
  }
  return ok(touching);
}

/** Which of these paths a commit's tree has; `commit:path` for each. One process. */
function askTracked(
  repository: Repository,
  names: readonly string[],
  timeoutMilliseconds: number,
): Result<Set<string>, string> {
  if (names.length === 0) return ok(new Set());
  const command = ["cat-file", "--batch-check=%(objecttype)"];
  const outcome = runGit(repository, command, { input: `${names.join("\n")}\n`, timeoutMilliseconds });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const answers = outcome.stdout.toString("utf8").split("\n");
  return ok(new Set(names.filter((_, index) => answers[index] === "blob")));
}

/**
 * The commits of each span that touch one of the directories, and the paths that are still there at its end.
 * One process for any number of spans where nothing was touched, three otherwise. A span whose beginning
 * is no ancestor of its end has none. Fails where git does not answer, for then nobody knows.
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
  const asked = spans.map(({ from, to }) => isCommitId(from) && isCommitId(to) && from !== to);
  const tips = [...new Set(spans.filter((_, index) => asked[index]).map(({ to }) => to))];
  if (tips.length === 0) return ok(spans.map(() => NOTHING));
  const touching = askTouching(repository, tips, directories, timeout);
  if (!touching.ok) return touching;
  const shallow = isShallow(repository);
  if (touching.value.size === 0 && !shallow) return ok(spans.map(() => NOTHING));
  const graph = SpanGraph.read(repository, tips, timeout);
  if (!graph.ok) return graph;
  const listed = spans.map((span, index) => {
    if (asked[index] !== true) return NOTHING;
    const range = graph.value.between(span.from, span.to);
    if (range === undefined) return shallow || !graph.value.has(span.to) ? UNKNOWN : NOTHING;
    const commits = range.filter((id) => touching.value.has(id));
    const paths = new Set(commits.flatMap((id) => touching.value.get(id) ?? []).filter(isNameable));
    return { commits, paths: [...paths].toSorted(byBytes), unknown: false };
  });
  const named = (span: Span | undefined, path: string): string => `${span?.to ?? ""}:${path}`;
  const names = new Set(listed.flatMap(({ paths }, index) => paths.map((path) => named(spans[index], path))));
  const tracked = askTracked(repository, [...names], timeout);
  if (!tracked.ok) return tracked;
  return ok(
    listed.map((touches, index) => ({
      ...touches,
      paths: touches.paths.filter((path) => tracked.value.has(named(spans[index], path))),
    })),
  );
}
