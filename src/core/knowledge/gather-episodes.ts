import type { Checkout } from "../checkout/checkout.ts";
import { scanLines } from "../fs/scan.ts";
import { findShadowJournal, shadowedSessionIds } from "../journal/shadow-journal.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { parseLineBytes } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { LineProbe } from "../ledger/probe.ts";
import { MAXIMUM_LINE_BYTES, sessionLines } from "../ledger/read.ts";
import { SOURCE_EVENTS } from "./sources.ts";

/** What deriving must know of one episode. */
export interface EpisodeAccount {
  sessionId: string;
  /** Of its own lines, in file order, those that knowledge may come from. */
  lines: LedgerLine[];
  /** HEAD at its opening and at its close, as the ledger has them. */
  startHead: string | undefined;
  closedHead: string | undefined;
  /** HEAD at its last line of work: where an episode that nobody saw ending came to. */
  lastHead: string | undefined;
  branch: string | undefined;
  /** It was closed, by itself or by recovery. */
  closed: boolean;
}

/** Lines about knowledge, written whenever somebody derives: they say nothing of where the work came to. */
const OURS = /^knowledge\./;
const SESSION = 2;
const HEAD = 3;
const SESSION_ID = 4;

function emptyAccount(sessionId: string): EpisodeAccount {
  return {
    sessionId,
    lines: [],
    startHead: undefined,
    closedHead: undefined,
    lastHead: undefined,
    branch: undefined,
    closed: false,
  };
}

/** Enters one line of the episode; only what knowledge may come from is kept. */
function enter(
  account: EpisodeAccount,
  event: string,
  head: string | undefined,
  read: () => LedgerLine | undefined,
): void {
  if (!OURS.test(event)) account.lastHead = head ?? account.lastHead;
  if (event === "session.closed") {
    account.closed = true;
    account.closedHead = head;
  } else if (event === "session.started" && account.startHead === undefined) {
    account.startHead = head;
    account.branch = read()?.branch;
  } else if (SOURCE_EVENTS.has(event)) {
    const line = read();
    if (line !== undefined) account.lines.push(line);
  }
}

/** The account of one episode from its own lines. */
export function accountOf(sessionId: string, lines: readonly LedgerLine[]): EpisodeAccount {
  const account = emptyAccount(sessionId);
  for (const line of lines) enter(account, line.event, line.head, () => line);
  return account;
}

function readAccounts(files: readonly string[]): Map<string, EpisodeAccount> {
  const accounts = new Map<string, EpisodeAccount>();
  const of = (sessionId: string): EpisodeAccount => {
    const known = accounts.get(sessionId);
    if (known !== undefined) return known;
    const account = emptyAccount(sessionId);
    accounts.set(sessionId, account);
    return account;
  };
  const probe = new LineProbe(["session", "head", "session_id"]);
  for (const file of files) {
    scanLines(
      file,
      0,
      (buffer, start, end) => {
        const event = probe.read(buffer, start, end) ? probe.text(1) : undefined;
        if (event === undefined) return;
        const recovered = event === "session.recovered" ? probe.text(SESSION_ID) : undefined;
        if (recovered !== undefined && recovered !== "") of(recovered).closed = true;
        const session = probe.text(SESSION);
        if (session === undefined || session === "") return;
        enter(of(session), event, probe.text(HEAD), () => parseLineBytes(buffer, start, end));
      },
      { maximumLineBytes: MAXIMUM_LINE_BYTES },
    );
  }
  return accounts;
}

/**
 * Every episode that this checkout's ledger and archives know, in one pass over them. An episode whose
 * opening they do not have (its ledger went with its worktree) is read from its shadow journal.
 */
export function gatherEpisodes(checkout: Pick<Checkout, "layout" | "common">): Map<string, EpisodeAccount> {
  const accounts = readLedgerFiles(checkout.layout.state, readAccounts);
  const shadowed = new Set(shadowedSessionIds(checkout.common).putAway);
  for (const account of accounts.values()) {
    if (account.startHead !== undefined || !shadowed.has(account.sessionId)) continue;
    const shadow = findShadowJournal(checkout.common, account.sessionId);
    if (shadow === undefined) continue;
    const { closed } = account;
    const known = accountOf(account.sessionId, sessionLines(shadow, account.sessionId));
    accounts.set(account.sessionId, { ...known, closed: closed || known.closed });
  }
  return accounts;
}

/**
 * Where an episode's own history ends: at its close; for one that is still open at HEAD; for one that was
 * recovered at its last line. So a closed episode derives the same whenever and wherever that is done.
 */
export function endOfEpisode(account: EpisodeAccount, openAt: string | undefined): string | undefined {
  return account.closedHead ?? openAt ?? account.lastHead;
}
