import { relative, sep } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import type { DivergenceIndex } from "../git/divergence-index.ts";
import { knownDivergence } from "../git/known-divergence.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { listClosedSessions } from "../records/session-store.ts";
import type { ClosedSessionFile } from "../records/session-store.ts";
import type { ClosedAnswer, ClosedView } from "./answers.ts";

const WINDOW = 20;

function compare(a: ClosedSessionFile, b: ClosedSessionFile): number {
  const [first, second] = [a.session.created_at ?? "", b.session.created_at ?? ""];
  if (first !== second) return first < second ? 1 : -1;
  return a.path < b.path ? 1 : -1;
}

function viewOf(checkout: Checkout, file: ClosedSessionFile, index: DivergenceIndex): ClosedView {
  const { session, path } = file;
  const label = labelDivergence(
    {
      ...(session.branch === undefined ? {} : { branch: session.branch }),
      ...(session.head === undefined ? {} : { head: session.head }),
    },
    checkout,
    (commit) => index.of(commit),
  );
  return {
    session_id: session.session_id,
    uri: `majordomus://session/${session.session_id}`,
    path: relative(checkout.root, path).split(sep).join("/"),
    ...(session.created_at === undefined ? {} : { created_at: session.created_at }),
    ...(session.branch === undefined ? {} : { branch: session.branch }),
    ...(session.head === undefined ? {} : { head: session.head }),
    outcome: session.outcome,
    ...(session.title === undefined ? {} : { title: session.title }),
    divergence: label.divergence,
  };
}

/**
 * The tracked records that a clone receives: how many, how many of this branch, and the newest (records.md 13.2); of
 * what cannot be listed nothing is counted, and a finding says so.
 */
export function readClosed(checkout: Checkout, window: number = WINDOW): ClosedAnswer {
  const readings = new Readings(checkout.root, "FAIL");
  const store = readings.attempt("sessions", () => listClosedSessions(checkout.layout.sessions));
  if (store === undefined) return { window, findings: readings.findings };
  const { records } = store;
  const newest = records.toSorted(compare).slice(0, window);
  const heads = newest.map(({ session }) => session.head).filter((head) => head !== undefined);
  const index = knownDivergence(checkout.repository, checkout.head, heads);
  return {
    total: records.length,
    on_this_branch: records.filter(({ session }) => session.branch === checkout.branch).length,
    ...(newest.length === 0 ? {} : { newest: newest.map((file) => viewOf(checkout, file, index)) }),
    window,
  };
}
