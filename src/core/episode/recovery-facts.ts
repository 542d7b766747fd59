import { formatTimestamp } from "../base/time.ts";
import { isCommitId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { commitsBetween } from "../git/commits.ts";
import { readReference } from "../git/reference.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listDirectory } from "../fs/read.ts";
import { copiesDirectory, RECORD_KINDS } from "../journal/record-copies.ts";
import type { RecordKind } from "../journal/record-copies.ts";
import { episodeFacts } from "../journal/roster.ts";
import type { Roster, RosterEntry } from "../journal/roster.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { episodeLines } from "./lines.ts";
import { ownEpisode } from "./own.ts";

/** When an episode last showed itself, and by what. */
export interface SignOfLife {
  at: string;
  from: "ledger" | "heartbeat" | "started_at";
}

/** What recovery must know of one open episode before it decides anything. */
export interface StrandedFacts {
  entry: RosterEntry;
  /** The episode of the very process that asks: never its own to recover. */
  own: boolean;
  lastSeen: SignOfLife;
  lines: readonly LedgerLine[];
  shadowed: boolean;
  /** A record that stands already: a close that was killed. */
  record: string | undefined;
  /** `<short> <subject>` of the commits that git still has of a lost worktree's branch, oldest first. */
  commits: readonly string[];
  /** Why nobody can say which commits a lost worktree made; then `commits` is empty and means nothing. */
  commitsUnknown?: string;
  /** What is kept again of a lost worktree's records, relative to git's common directory. */
  copies: readonly { kind: RecordKind; count: number; directory: string }[];
}

function lastSignOfLife(entry: RosterEntry, lines: readonly LedgerLine[]): SignOfLife {
  const inLedger = lines
    .filter((line) => line.event !== "session.recovered")
    .reduce((newest, line) => (line.ts > newest ? line.ts : newest), "");
  const heartbeat = entry.registration === undefined ? "" : formatTimestamp(entry.registration.heartbeat);
  if (inLedger === "" && heartbeat === "") return { at: episodeFacts(entry).started_at, from: "started_at" };
  return heartbeat > inLedger ? { at: heartbeat, from: "heartbeat" } : { at: inLedger, from: "ledger" };
}

function commitsOfLostBranch(
  checkout: Checkout,
  entry: RosterEntry,
): Pick<StrandedFacts, "commits" | "commitsUnknown"> {
  const { branch, start_head: start } = episodeFacts(entry);
  const unknown = (why: string): ReturnType<typeof commitsOfLostBranch> => ({
    commits: [],
    commitsUnknown: why,
  });
  if (branch === "DETACHED") return unknown("it was on no branch");
  const tip = readReference(checkout.repository, `refs/heads/${branch}`);
  if (tip === undefined) return unknown(`its branch ${branch} is gone`);
  if (tip === start) return { commits: [] };
  if (!isCommitId(start)) return unknown("it began before the first commit");
  const range = commitsBetween(checkout.repository, start, tip);
  if (range.state !== "ok") return unknown(`its branch ${branch} no longer contains where it began`);
  return { commits: range.commits.map(({ short, subject }) => `${short} ${subject}`) };
}

function copiesOfLost(checkout: Checkout, entry: RosterEntry): StrandedFacts["copies"] {
  const identity = entry.registration?.registration.worktree_id;
  if (identity === undefined) return [];
  return RECORD_KINDS.flatMap((kind) => {
    const directory = copiesDirectory(checkout, identity, kind);
    const count = listDirectory(directory).filter((name) => name.endsWith(".md")).length;
    return count === 0
      ? []
      : [{ kind, count, directory: shownPath(checkout.repository.commonDir, directory) }];
  });
}

/** Gathers the evidence about every open episode that the roster knows, and every close here that was killed. */
export function gatherStranded(checkout: Checkout, roster: Roster): StrandedFacts[] {
  const own =
    checkout.providerSession === undefined
      ? undefined
      : ownEpisode(checkout, roster, checkout.providerSession);
  const unfinished = roster.leftBehind.filter(({ here }) => here);
  return [...roster.entries, ...unfinished].map((entry) => {
    const { lines, shadowed } = episodeLines(checkout, entry.sessionId);
    return {
      entry,
      own: own?.sessionId === entry.sessionId && entry.ended === undefined,
      lastSeen: lastSignOfLife(entry, lines),
      lines,
      shadowed,
      record: findRecordOfSession(checkout.layout.sessions, entry.sessionId),
      ...(entry.whereabouts.kind === "gone"
        ? { ...commitsOfLostBranch(checkout, entry), copies: copiesOfLost(checkout, entry) }
        : { commits: [], copies: [] }),
    };
  });
}
