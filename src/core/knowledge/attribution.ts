import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory } from "../fs/read.ts";
import { scanMatching } from "../fs/scan.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { parseLineBytes } from "../ledger/line.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import { nameCarriesSession } from "../records/record-name.ts";
import { readClosedSession } from "../records/session-store.ts";
import type { KnowledgeRecord } from "../records/knowledge.ts";

const SESSION = "session:";

/** The episode that a record came from: the first that it names. */
export function episodeOf(record: KnowledgeRecord): string | undefined {
  const named = record.derivedFrom.find((reference) => reference.startsWith(SESSION));
  return named?.slice(SESSION.length).trim() || undefined;
}

type Place = Pick<Checkout, "layout">;

function ofClosedRecords({ layout }: Place, wanted: ReadonlySet<string>): Map<string, string> {
  const branches = new Map<string, string>();
  const names = listDirectory(layout.sessions).filter(
    (name) => name.endsWith(".md") && !name.startsWith("."),
  );
  for (const id of wanted) {
    for (const name of names) {
      if (!nameCarriesSession(name, id)) continue;
      const session = readClosedSession(join(layout.sessions, name));
      const branch = session.ok && session.value.session_id === id ? session.value.branch : undefined;
      if (branch !== undefined) branches.set(id, branch);
    }
  }
  return branches;
}

function ofOpenFiles({ layout }: Place): Map<string, string> {
  const { episodes } = listOpenEpisodes(layout.sessionsOpen);
  return new Map(episodes.map(({ episode }) => [episode.session_id, episode.branch]));
}

function ofLedger({ layout }: Place): Map<string, string> {
  return readLedgerFiles(layout.state, (files) => {
    const branches = new Map<string, string>();
    for (const file of files) {
      scanMatching(file, '"session.started"', 0, (buffer, start, end) => {
        const line = parseLineBytes(buffer, start, end);
        if (line?.event !== "session.started" || line.session === undefined) return;
        if (line.branch !== undefined && !branches.has(line.session)) branches.set(line.session, line.branch);
      });
    }
    return branches;
  });
}

/**
 * The branch on which each episode was, from the first source that knows: its closed record, its open file,
 * the ledger's line of its opening (records.md 12.5). An episode that is in none is not in the answer. The
 * ledger is read only when the others do not know them all.
 */
export function branchesOfEpisodes(checkout: Place, episodes: Iterable<string>): Map<string, string> {
  const left = new Set(episodes);
  const branches = new Map<string, string>();
  const sources = [
    () => ofClosedRecords(checkout, left),
    () => ofOpenFiles(checkout),
    () => ofLedger(checkout),
  ];
  for (const source of sources) {
    if (left.size === 0) break;
    for (const [id, branch] of source()) {
      if (left.delete(id)) branches.set(id, branch);
    }
  }
  return branches;
}
