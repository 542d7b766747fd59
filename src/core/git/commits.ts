import { isCommitId } from "../base/id.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { byBytes } from "./byte-order.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit, type GitOptions } from "./run.ts";
import { isShallow } from "./shallow.ts";

export interface Commit {
  id: string;
  /** The first 7 characters, as records name a commit. */
  short: string;
  subject: string;
}

export type CommitRange =
  | { state: "ok"; commits: Commit[] /* oldest first */ }
  | { state: "diverged" | "unknown"; reason: string };

const SHORT_LENGTH = 7;

/** `<` marks what only the old end reaches, `>` what only the new one does. */
const LOG = [
  "log",
  "-z",
  "--reverse",
  "--topo-order",
  "--left-right",
  "--format=tformat:%m%H%x00%s",
  "--encoding=UTF-8",
  "--no-show-signature",
  "--no-color",
];

function badId(from: string, to: string): string | undefined {
  const bad = [from, to].find((id) => !isCommitId(id));
  return bad === undefined ? undefined : `${bad === "" ? "nothing" : bad} is not a full commit id`;
}

/**
 * The commits that `to` has and `from` has not, oldest first, in one process. `diverged` when `from` is
 * not an ancestor of `to`; `unknown` when git cannot tell: an absent commit, or history that is cut.
 */
export function commitsBetween(
  repository: Repository,
  from: string,
  to: string,
  options: GitOptions = {},
): CommitRange {
  const bad = badId(from, to);
  if (bad !== undefined) return { state: "unknown", reason: bad };
  if (from === to) return { state: "ok", commits: [] };
  const outcome = runGit(repository, [...LOG, `${from}...${to}`, "--"], options);
  if (outcome.status !== 0) return { state: "unknown", reason: reasonOfFailure(LOG, outcome) };
  const fields = outcome.stdout.toString("utf8").split("\0");
  const commits: Commit[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const marked = fields[index] as string;
    if (marked.startsWith("<")) {
      return isShallow(repository)
        ? { state: "unknown", reason: "the history is cut: this is a shallow clone" }
        : { state: "diverged", reason: `${from.slice(0, SHORT_LENGTH)} is not in the history of HEAD` };
    }
    const id = marked.slice(1);
    commits.push({ id, short: id.slice(0, SHORT_LENGTH), subject: fields[index + 1] as string });
  }
  return { state: "ok", commits };
}

/** The paths that differ between two commits, sorted bytewise; of a rename, the new name. One process. */
export function changedBetween(
  repository: Repository,
  from: string,
  to: string,
  options: GitOptions = {},
): Result<string[], string> {
  const bad = badId(from, to);
  if (bad !== undefined) return failed(bad);
  const command = ["diff-tree", "-r", "-z", "-M", "--name-only", from, to, "--"];
  const outcome = runGit(repository, command, options);
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const paths = outcome.stdout.toString("utf8").split("\0");
  return ok(paths.filter((path) => path !== "").toSorted(byBytes));
}
