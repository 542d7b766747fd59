import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { readHead } from "../git/head.ts";
import { readWorkingTree } from "../git/status.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import { listClosedSessions } from "../records/session-store.ts";
import type { RuntimeAnswer } from "./answers.ts";

/** The commit that this process answers about against the one that the repository is on right now (records.md 13.2). */
export function readRuntime(checkout: Checkout): RuntimeAnswer {
  const head = readHead(checkout.repository);
  const tree = readWorkingTree(checkout.repository);
  const readings = new Readings(checkout.root, "FAIL");
  const closed = readings.attempt("sessions", () => listClosedSessions(checkout.layout.sessions));
  const open = readings.attempt("episodes", () => listOpenEpisodes(checkout.layout.sessionsOpen));
  const degraded =
    readings.findings.length > 0 || (closed?.skipped ?? []).length > 0 || (open?.findings ?? []).length > 0;
  const agree = head.commit === checkout.head && head.branch === checkout.branch;
  const state = tree.ok ? { state: tree.value.state } : {};
  return {
    root: checkout.root,
    ...(checkout.head === undefined ? {} : { served_head: checkout.head }),
    served_branch: checkout.branch,
    ...(state.state === undefined ? {} : { served_working_tree: state.state }),
    ...(head.commit === undefined ? {} : { repository_head: head.commit }),
    repository_branch: head.branch,
    ...(state.state === undefined ? {} : { repository_working_tree: state.state }),
    agree,
    objects: (closed?.records ?? []).length + (open?.episodes ?? []).length,
    index_state: degraded ? "degraded" : "ok",
    note: agree
      ? "answers are about the commit that is checked out"
      : "the repository moved since this process read it",
  };
}
