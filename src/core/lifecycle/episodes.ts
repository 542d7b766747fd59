import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { readJournalTail } from "../journal/event-journal.ts";
import type { JournalEntry } from "../journal/event-journal.ts";
import { episodeFacts, readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { standingWorktree } from "../journal/whereabouts.ts";
import { strandingOf } from "../journal/stranding.ts";
import { findShadowJournal } from "../journal/shadow-journal.ts";
import type { Finding } from "../labels/terms.ts";
import { ledgerFiles } from "../ledger/files.ts";
import { summarise } from "../ledger/summary-cache.ts";
import type { EpisodeSummary } from "../ledger/episode-table.ts";
import { shellWord } from "../text/shell-word.ts";
import type { EpisodesAnswer, EpisodeView } from "./answers.ts";
import { unseenEvents } from "./unseen.ts";

const NOTES = {
  current: "the pointer names it",
  open: "open in its worktree",
  foreign: "another worktree opened it and ends it; where its file was only copied here, it can go",
  stranded: "its worktree is gone from disk, so it cannot close itself",
} as const;

function merge(summaries: readonly (EpisodeSummary | undefined)[]): EpisodeSummary | undefined {
  const present = summaries.filter((summary) => summary !== undefined);
  if (present.length < 2) return present[0];
  return present.reduce((merged, summary) => {
    const later = (summary.lastActivity ?? "") >= (merged.lastActivity ?? "") ? summary : merged;
    return {
      ...later,
      events: merged.events + summary.events,
      tasks: [...new Set([...merged.tasks, ...summary.tasks])],
      checkpoints: merged.checkpoints + summary.checkpoints,
    };
  });
}

/** What the ledger knows of an episode: this store's own, else the shadow journal of an episode elsewhere. */
function summaryOf(
  checkout: Checkout,
  entry: RosterEntry,
  files: readonly string[],
): EpisodeSummary | undefined {
  const own = merge(files.map((file) => summarise(file).episodes.get(entry.sessionId)));
  if (own !== undefined) return own;
  const shadow = findShadowJournal(checkout.common, entry.sessionId);
  return shadow === undefined ? undefined : summarise(shadow).episodes.get(entry.sessionId);
}

/** Where an episode's worktree is now: one that was moved is the same one, whatever path its records name. */
function worktreeNow({ root }: Checkout, { whereabouts }: RosterEntry, recorded: string): string {
  if (whereabouts.kind === "here") return root;
  return standingWorktree(whereabouts) ?? recorded;
}

/** What of a foreign episode lies here: its file, else the registration; never what its own worktree holds. */
function copiedPath({ here, path, registration }: RosterEntry): string {
  return here ? path : (registration?.path ?? path);
}

function foreignNote({ here, standing, whereabouts }: RosterEntry): string | undefined {
  return standing === "foreign" && !here && whereabouts.kind === "elsewhere" ? whereabouts.reason : undefined;
}

/** The receipts of each worktree, read once however many of its episodes are open. */
function receiptsByWorktree(checkout: Checkout): (entry: RosterEntry) => readonly JournalEntry[] {
  const known = new Map<string, readonly JournalEntry[]>();
  return ({ registration }) => {
    const worktreeIdentity = registration?.registration.worktree_id;
    if (worktreeIdentity === undefined) return [];
    const receipts =
      known.get(worktreeIdentity) ?? readJournalTail({ common: checkout.common, worktreeIdentity });
    known.set(worktreeIdentity, receipts);
    return receipts;
  };
}

function viewOf(
  checkout: Checkout,
  entry: RosterEntry,
  summary: EpisodeSummary | undefined,
  receipts: readonly JournalEntry[],
): EpisodeView {
  const facts = episodeFacts(entry);
  const registration = entry.registration?.registration;
  const optional = (key: string, value: string | undefined): object =>
    value === undefined || value === "" ? {} : { [key]: value };
  const stranding = strandingOf(entry);
  const unseen =
    registration === undefined
      ? []
      : unseenEvents(receipts, registration.provider, registration.raw_id, entry.worker.state);
  return {
    session_id: entry.sessionId,
    path: entry.path,
    ...optional(
      "provider",
      entry.file?.provider ?? (registration?.provider === "hand" ? undefined : registration?.provider),
    ),
    ...optional("provider_session", entry.file?.provider_session),
    ...optional("owner", facts.owner),
    ...optional("worker", facts.worker),
    ...optional("worktree", worktreeNow(checkout, entry, facts.worktree)),
    ...optional("branch", facts.branch),
    ...optional("start_head", facts.start_head),
    ...optional("started_at", facts.started_at),
    standing: entry.standing,
    here: entry.here,
    worker_state: entry.worker.state,
    worker_note: entry.worker.note,
    ...(stranding === undefined ? {} : { recoverable: stranding.loss }),
    events: summary?.events ?? 0,
    checkpoints: summary?.checkpoints ?? 0,
    ...optional("last_activity", summary?.lastActivity),
    ...optional("last_event", summary?.lastEvent),
    ...(entry.registration === undefined ? {} : { heartbeat: formatTimestamp(entry.registration.heartbeat) }),
    ...(summary === undefined || summary.tasks.length === 0 ? {} : { tasks: [...summary.tasks] }),
    ...optional("continues", registration?.continues?.session_id),
    ...(unseen.length === 0 ? {} : { unseen }),
    ...(entry.standing === "foreign" ? { remedy: `rm ${shellWord(copiedPath(entry))}` } : {}),
    note: stranding?.reason ?? foreignNote(entry) ?? NOTES[entry.standing],
  };
}

/** Every open episode of the repository's session store, with no clock and no threshold (records.md 13.2). */
export function readEpisodes(checkout: Checkout): EpisodesAnswer {
  const readings = new Readings(checkout.root, "FAIL");
  const roster = readings.attempt("session", () => readRoster(checkout));
  const entries = roster?.entries ?? [];
  const files = readings.attempt("ledger", () => ledgerFiles(checkout.layout.state)) ?? [];
  const receiptsOf = receiptsByWorktree(checkout);
  const episodes = entries.map((entry) => {
    const summary = readings.attempt("ledger", () => summaryOf(checkout, entry, files));
    return viewOf(checkout, entry, summary, readings.attempt("journal", () => receiptsOf(entry)) ?? []);
  });
  const named = roster?.pointer.sessionId;
  const hasEnded = entries.some(({ sessionId, ended }) => sessionId === named && ended !== undefined);
  const current = hasEnded ? undefined : named;
  const findings: Finding[] = (roster?.unreadable ?? []).map(({ path, reason }) => ({
    level: "WARN",
    category: "session",
    subject: path,
    message: reason,
  }));
  findings.push(...readings.findings);
  if (episodes.length > 1) {
    findings.push({
      level: "INFO",
      category: "session",
      subject: checkout.layout.sessionsOpen,
      message: `${episodes.length} episodes are open`,
      reproduce: "majordomus lifecycle episodes",
    });
  }
  return {
    present: true,
    store: checkout.layout.sessionsOpen,
    worktree: checkout.root,
    ...(current === undefined ? {} : { current }),
    ...(episodes.length === 0 ? {} : { episodes }),
    ...(findings.length === 0 ? {} : { findings }),
  };
}
