import type { Finding } from "../../core/labels/terms.ts";
import type { Slices } from "../slices.ts";
import { findingRow, searchable } from "./rows.ts";
import type { Row, RowOf } from "./rows.ts";

/** What is wrong before what is right. */
const ORDER: readonly Finding["level"][] = ["FAIL", "DRIFT", "WARN", "INFO", "OK"];

function rankOf(level: Finding["level"]): number {
  return ORDER.indexOf(level);
}

interface Found {
  judge: string;
  findings: readonly Finding[] | undefined;
}

/** A finding of several judges is one row, at the worst level that one of them gave it. */
function merged(root: string, found: readonly Found[]): Row[] {
  const rows = new Map<string, RowOf<"finding">>();
  for (const { judge, findings = [] } of found) {
    for (const finding of findings) {
      const row = findingRow(root, finding);
      const known = rows.get(row.id);
      const worse = known === undefined || rankOf(finding.level) < rankOf(known.finding.level) ? row : known;
      rows.set(row.id, { ...worse, judges: [...new Set([...(known?.judges ?? []), judge])] });
    }
  }
  return [...rows.values()].toSorted((one, other) => rankOf(one.finding.level) - rankOf(other.finding.level));
}

/** The findings of doctor, check and watch, the worst first. */
export function judgedRows(root: string, { doctor, check, watch }: Slices): readonly Row[] {
  const overlaps = (check.data?.overlaps ?? []).map(
    ({ path, relation, other, task_id, task, worktree }): Finding => ({
      level: "WARN",
      category: "overlap",
      subject: path,
      message: `${relation} ${other} of ${task_id} (${task}) in ${worktree}`,
      reproduce: "majordomus check --overlap",
    }),
  );
  const unread = (check.data?.overlaps_unread ?? []).map(({ worktree, reason }): Finding => ({
    level: "WARN",
    category: "overlap",
    subject: worktree,
    message: `its task record cannot be read, so what it claims is unknown: ${reason}`,
    reproduce: "majordomus check --overlap",
  }));
  return merged(root, [
    { judge: "doctor", findings: doctor.data?.findings },
    { judge: "check", findings: check.data?.findings },
    { judge: "check", findings: [...overlaps, ...unread] },
    { judge: "watch", findings: watch.data?.findings },
  ]);
}

/** How many findings of each level there are, the worst first; levels without any are left out. */
export function countLevels(rows: readonly Row[]): { level: Finding["level"]; count: number }[] {
  const levels = rows.flatMap((row) => (row.kind === "finding" ? [row.finding.level] : []));
  return ORDER.map((level) => ({ level, count: levels.filter((each) => each === level).length })).filter(
    ({ count }) => count > 0,
  );
}

function providerRows(root: string, { providers }: Slices): readonly Row[] {
  return (providers.data?.providers ?? []).map((provider): Row => ({
    kind: "provider",
    id: `${root}\0provider\0${provider.id}`,
    root,
    search: searchable("provider", provider.id, provider.title, provider.note),
    provider,
  }));
}

function runtimeRows(root: string, { runtime }: Slices): readonly Row[] {
  const answer = runtime.data;
  if (answer === undefined) return [];
  const search = searchable("runtime", answer.served_head, answer.repository_head, answer.note);
  return [{ kind: "runtime", id: `${root}\0runtime`, root, search, runtime: answer }];
}

function serverRows(root: string, { server, peers }: Slices): readonly Row[] {
  const answer = server.data;
  if (answer === undefined) return [];
  const search = searchable("server", answer.standing, answer.url, answer.note);
  const others = (peers.data?.peers ?? []).map((peer): Row => ({
    kind: "peer",
    id: `${root}\0peer\0${peer.id}`,
    root,
    search: searchable("peer", peer.id, peer.name, ...peer.claims.map(({ text }) => text)),
    peer,
  }));
  return [{ kind: "server", id: `${root}\0server`, root, search, server: answer }, ...others];
}

/** The commit that is answered about, the shared server and who is on its board, and what reports here. */
export function surroundingRows(root: string, slices: Slices): readonly Row[] {
  return [...runtimeRows(root, slices), ...serverRows(root, slices), ...providerRows(root, slices)];
}
