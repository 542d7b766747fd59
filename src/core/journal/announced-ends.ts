import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { identifyProcess } from "../fs/process.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import { scanMatching } from "../fs/scan.ts";
import type { VisitLine } from "../fs/scan.ts";
import { clip } from "../text/inert.ts";
import { END_EVENTS, GOING_ON_EVENTS } from "./event-kinds.ts";
import { KEPT_CHARACTERS, parseEntry, TAIL_BYTES } from "./event-journal.ts";
import type { JournalEntry } from "./event-journal.ts";
import type { Registration } from "./registration.ts";
import { findShadowJournal } from "./shadow-journal.ts";

/** An end that was announced to us for an episode that has no record yet. */
export interface AnnouncedEnd {
  /** When, a timestamp. */
  at: string;
  /** Why, in the provider's word. */
  reason?: string;
  /** What says so: our registration, the receipt of the event, or a ledger line. */
  from: "registration" | "receipt" | "ledger";
  /** The process of the hook that took it and has not said how it went. */
  hook?: number;
}

/** The episode that is asked about. */
export interface AskedEpisode {
  sessionId: string;
  startedAt: string;
  registration: Registration | undefined;
}

export interface ProviderSession {
  provider: string;
  /** The raw id. */
  session: string;
}

const LEDGER_TAIL_BYTES = 1024 * 1024;
/** No hook outlives its provider's patience by this much: a number that lives longer is another process. */
const LONGEST_HOOK_MILLISECONDS = 60_000;

/** Whether the hook that took an event may still be at it: nobody else is to finish what it is finishing. */
export function isBeingTaken({ at, hook }: Pick<AnnouncedEnd, "at" | "hook">, now: number): boolean {
  if (hook === undefined || hook === process.pid) return false;
  const age = now - Date.parse(at);
  return age >= 0 && age < LONGEST_HOOK_MILLISECONDS && identifyProcess(hook) !== undefined;
}

/** Lines of a file's last bytes. What is no file that can be read says nothing of an end: others tell of that. */
function scanTail(path: string, bytes: number, needle: string, visit: VisitLine): void {
  try {
    scanMatching(path, needle, Math.max(0, (stampOf(path)?.size ?? 0) - bytes), visit);
  } catch {
    // Who is open must be known whatever stands in a journal's place.
  }
}

type Fields = Partial<Record<string, unknown>>;

function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What the ledger lines of one episode say last of its end: nothing once something came after it. */
class LedgerEnd {
  end: AnnouncedEnd | undefined;

  take(fields: Fields): void {
    const at = textOf(fields, "ts");
    if (at === undefined) return;
    if (fields["event"] === "session.closed") {
      this.end ??= { at, reason: "the ledger says that it was closed", from: "ledger" };
    }
    if (fields["event"] !== "provider.event.received") return;
    if (fields["provider_event"] !== "end") {
      this.end = undefined;
      return;
    }
    const reason = textOf(fields, "reason");
    this.end = { at, ...(reason === undefined ? {} : { reason }), from: "ledger" };
  }
}

/**
 * Which open episodes were told to end, from what stands on disk alone: the receipt of the event comes before
 * anything that an end does, so that one that was killed, or found no settings and no room, is known all the
 * same. What came later for the same session, a start or a prompt, takes an end back.
 */
export class AnnouncedEnds {
  readonly #checkout: Pick<Checkout, "common" | "layout">;
  readonly #starting: ProviderSession | undefined;
  #journals: readonly string[] | undefined;
  #endedSessions: ReadonlySet<string> | undefined;
  #ledgerSessions: ReadonlySet<string> | undefined;

  /** @param starting the session whose start is being taken: that receipt does not take back the end before it. */
  constructor(checkout: Pick<Checkout, "common" | "layout">, starting?: ProviderSession) {
    this.#checkout = checkout;
    this.#starting = starting;
  }

  /** The end of one episode; undefined when nothing says that it ended, or when it went on. */
  of(episode: AskedEpisode): AnnouncedEnd | undefined {
    const { registration } = episode;
    const noted = registration === undefined ? undefined : notedIn(registration);
    if (registration === undefined) return this.#inLedger(episode);
    const asked = this.#isNamedInReceipts(registration);
    const end = (asked ? this.#inReceipts(registration) : undefined) ?? noted ?? this.#inLedger(episode);
    if (end === undefined || end.at < episode.startedAt) return undefined;
    return end.from !== "receipt" && this.#wentOnAfter(registration, end.at) ? undefined : end;
  }

  /** Receipts of any worktree: an event belongs to its episode, wherever its directory was. */
  #files(): readonly string[] {
    const { events } = this.#checkout.common;
    this.#journals ??= listDirectory(events)
      .filter((name) => /\.jsonl(?:\.1)?$/.test(name))
      .map((name) => join(events, name));
    return this.#journals;
  }

  #isNamedInReceipts({ provider, raw_id: rawId }: Registration): boolean {
    this.#endedSessions ??= this.#sessionsWithEnd();
    return this.#endedSessions.has(sessionOf(provider, clip(rawId, KEPT_CHARACTERS)));
  }

  #sessionsWithEnd(): Set<string> {
    const found = new Set<string>();
    for (const path of this.#files()) {
      for (const name of END_EVENTS) {
        scanTail(path, TAIL_BYTES, `"event":"${name}"`, (buffer, start, end) => {
          const entry = parseEntry(buffer.toString("utf8", start, end));
          if (entry?.session !== undefined) found.add(sessionOf(entry.provider, entry.session));
        });
      }
    }
    return found;
  }

  /** The receipts of one session, each journal's in its order. */
  #receiptsOf({ provider, raw_id: rawId }: Registration): JournalEntry[][] {
    const session = clip(rawId, KEPT_CHARACTERS);
    const journals = this.#files().map((path) => {
      const entries: JournalEntry[] = [];
      const needle = `"session":${JSON.stringify(session)}`;
      scanTail(path, TAIL_BYTES, needle, (buffer, start, end) => {
        const entry = parseEntry(buffer.toString("utf8", start, end));
        if (entry?.session === session && entry.provider === provider) entries.push(entry);
      });
      return entries;
    });
    const starts = this.#starting?.provider === provider && this.#starting.session === rawId;
    return starts ? withoutNewestStart(journals) : journals;
  }

  #inReceipts(registration: Registration): AnnouncedEnd | undefined {
    const journals = this.#receiptsOf(registration);
    const all = journals.flat();
    let newest: JournalEntry | undefined;
    for (const entries of journals) {
      const at = entries.findLastIndex((entry) => entry.phase === "received" && END_EVENTS.has(entry.event));
      const end = entries[at];
      if (end === undefined || entries.slice(at + 1).some(goesOn)) continue;
      if (all.some((entry) => goesOn(entry) && entry.ts > end.ts)) continue;
      if (newest === undefined || end.ts > newest.ts) newest = end;
    }
    if (newest === undefined) return undefined;
    const { id, ts, reason, pid } = newest;
    const outcome = all.find((entry) => entry.phase === "outcome" && entry.id === id);
    if (outcome?.steps?.some(hadNothingToSeal) === true) return undefined;
    return {
      at: ts,
      ...(reason === undefined ? {} : { reason }),
      from: "receipt",
      ...(outcome === undefined && pid !== undefined ? { hook: pid } : {}),
    };
  }

  #wentOnAfter(registration: Registration, at: string): boolean {
    return this.#receiptsOf(registration)
      .flat()
      .some((entry) => goesOn(entry) && entry.ts > at);
  }

  #inLedger({ sessionId }: AskedEpisode): AnnouncedEnd | undefined {
    const said = new LedgerEnd();
    const shadow = findShadowJournal(this.#checkout.common, sessionId);
    if (shadow !== undefined) readEpisode(shadow, sessionId, said);
    if (said.end !== undefined) return said.end;
    const { ledger } = this.#checkout.layout;
    this.#ledgerSessions ??= sessionsEndedIn(ledger);
    if (!this.#ledgerSessions.has(sessionId)) return undefined;
    const own = new LedgerEnd();
    readEpisode(ledger, sessionId, own);
    return own.end;
  }
}

function sessionOf(provider: string, session: string): string {
  return `${provider}\0${session}`;
}

function withoutNewestStart(journals: readonly JournalEntry[][]): JournalEntry[][] {
  const newest = journals
    .flat()
    .filter(goesOn)
    .reduce<JournalEntry | undefined>(
      (last, entry) => (last && last.ts > entry.ts ? last : entry),
      undefined,
    );
  return journals.map((entries) => entries.filter((entry) => entry !== newest));
}

function goesOn(entry: JournalEntry): boolean {
  return entry.phase === "received" && (entry.source !== undefined || GOING_ON_EVENTS.has(entry.event));
}

/** The outcome of an end that is done with: its episode was sealed, or there was none. */
function hadNothingToSeal({ step, result }: { step: string; result: string }): boolean {
  return step === "seal" && (result === "done" || result === "skipped");
}

function notedIn({ ended, end_reason: reason }: Registration): AnnouncedEnd | undefined {
  if (ended === undefined) return undefined;
  return { at: ended, ...(reason === undefined ? {} : { reason }), from: "registration" };
}

function sessionsEndedIn(ledger: string): Set<string> {
  const found = new Set<string>();
  for (const needle of ['"provider_event":"end"', '"event":"session.closed"']) {
    scanTail(ledger, LEDGER_TAIL_BYTES, needle, (buffer, start, end) => {
      const session = textOf(fieldsOf(buffer.toString("utf8", start, end)) ?? {}, "session");
      if (session !== undefined) found.add(session);
    });
  }
  return found;
}

function readEpisode(path: string, sessionId: string, said: LedgerEnd): void {
  scanTail(path, LEDGER_TAIL_BYTES, `"session":${JSON.stringify(sessionId)}`, (buffer, start, end) => {
    const fields = fieldsOf(buffer.toString("utf8", start, end));
    if (fields !== undefined && fields["session"] === sessionId) said.take(fields);
  });
}
