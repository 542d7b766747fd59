import { formatTimestamp } from "../base/time.ts";
import { isCommitId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { commitsBetween } from "../git/commits.ts";
import { readReference } from "../git/reference.ts";
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
}

function lastSignOfLife(entry: RosterEntry, lines: readonly LedgerLine[]): SignOfLife {
  const inLedger = lines
    .filter((line) => line.event !== "session.recovered")
    .reduce((newest, line) => (line.ts > newest ? line.ts : newest), "");
  const heartbeat = entry.registration === undefined ? "" : formatTimestamp(entry.registration.heartbeat);
  if (inLedger === "" && heartbeat === "") return { at: episodeFacts(entry).started_at, from: "started_at" };
  return heartbeat > inLedger ? { at: heartbeat, from: "heartbeat" } : { at: inLedger, from: "ledger" };
}

function commitsOfLostBranch(checkout: Checkout, entry: RosterEntry): string[] {
  const { branch, start_head: start } = episodeFacts(entry);
  const tip = branch === "DETACHED" ? undefined : readReference(checkout.repository, `refs/heads/${branch}`);
  if (tip === undefined || !isCommitId(start) || tip === start) return [];
  const range = commitsBetween(checkout.repository, start, tip);
  return range.state === "ok" ? range.commits.map(({ short, subject }) => `${short} ${subject}`) : [];
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
      commits: entry.whereabouts.kind === "gone" ? commitsOfLostBranch(checkout, entry) : [],
    };
  });
}
