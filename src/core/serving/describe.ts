import type { Checkout } from "../checkout/checkout.ts";
import { readHead } from "../git/head.ts";
import type { ServerAnswer } from "./answers.ts";
import type { Lease } from "./lease.ts";
import type { ServerJudgement } from "./standing.ts";

/** What a lease says to people and programs. Its token is not among it. */
function leaseFacts(lease: Lease): Partial<ServerAnswer> {
  const { url, pid, version, executable, begun_at, served_head, served_branch } = lease;
  return {
    ...(url === undefined ? {} : { url }),
    pid,
    version,
    executable,
    begun_at,
    ...(served_head === undefined ? {} : { served_head }),
    ...(served_branch === undefined ? {} : { served_branch }),
  };
}

/** Where a server stands, and the commit that it answers about against the one that is checked out right now. */
export function describeServer(
  { root, repository }: Pick<Checkout, "root" | "repository">,
  { standing, note, lease }: ServerJudgement,
): ServerAnswer {
  const head = readHead(repository);
  const answers = standing === "ready" || standing === "outdated";
  const agree = lease?.served_head === head.commit && lease?.served_branch === head.branch;
  return {
    standing,
    note,
    root,
    ...(lease === undefined ? {} : leaseFacts(lease)),
    ...(head.commit === undefined ? {} : { repository_head: head.commit }),
    repository_branch: head.branch,
    ...(answers ? { agree } : {}),
  };
}
