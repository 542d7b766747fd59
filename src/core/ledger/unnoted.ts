import { dirname } from "node:path";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { scanMatching } from "../fs/scan.ts";
import { spoolNumbers } from "../journal/spool-file.ts";
import type { Decision } from "../records/decisions.ts";
import type { WorkRecordCandidate } from "../records/work-record-store.ts";
import { readLedgerFiles } from "./files.ts";
import { parseLineBytes } from "./line.ts";
import { firstTime } from "./lost-lines.ts";
import { isPending } from "./pending.ts";
import { ledgerRanks } from "./read.ts";
import { CARRIED } from "./work-records.ts";
import type { WorkRecords } from "./work-records.ts";

type Place = Pick<Checkout, "layout" | "common" | "clock">;

/** Whose record stands may be about to write its line. */
const WRITING_MILLISECONDS = 60_000;

/** `handover_path` and `checkpoint_path`, as every writer of the format has them. */
const RECORD_PATH = '_path":"';

const DAY_CHARACTERS = 10;

/**
 * Since when every line must stand in the ledger file itself, by its first line; undefined where that cannot be told:
 * while lines wait, and where there is none. An archive may be thrown away on purpose, so what is older is not judged.
 */
function notedSince({ layout, common }: Place): string | undefined {
  if (spoolNumbers(common).length > 0 || isPending(layout.ledger)) return undefined;
  return firstTime([layout.ledger]);
}

/** Only what was written here has a line here: what came from another machine has none (records.md 14.17). */
function ownOf({ layout }: Place, { kind, candidates }: WorkRecords): WorkRecordCandidate[] {
  return candidates.filter(
    ({ path, worktree }) => dirname(path) === layout[kind] && !worktree.startsWith(CARRIED),
  );
}

/**
 * Handovers and checkpoints of this store that no ledger line names: whoever wrote them was killed between the two. They
 * resolve like any other.
 */
export function unnotedRecords(place: Place, kinds: readonly WorkRecords[]): WorkRecordCandidate[] {
  const own = kinds.flatMap((kind) => ownOf(place, kind));
  const since = own.length === 0 ? undefined : notedSince(place);
  if (since === undefined) return [];
  // Timestamps of one form order as text; what is none of that form has its own finding.
  const until = formatTimestamp(place.clock.now() - WRITING_MILLISECONDS);
  const judged = own.filter(({ createdAt }) => createdAt > since && createdAt < until);
  const named = namedRecords(place.layout.ledger);
  const missing = judged.filter(({ name }) => !named.has(name));
  if (missing.length === 0) return [];
  // A clock that was set back puts a line among older ones: before anything is said, every word of every file is looked at.
  const names = missing.map(({ name }) => name);
  return readLedgerFiles(place.layout.state, (files) => {
    const ranks = files.map((file) => ledgerRanks(file, names));
    return missing.filter(({ name }) => ranks.every((rank) => rank.get(name) === 0));
  });
}

/** The base names of the records that a ledger file names as such. */
function namedRecords(ledger: string): Set<string> {
  const named = new Set<string>();
  scanMatching(ledger, RECORD_PATH, 0, (buffer, start, end) => {
    const line = buffer.toString("latin1", start, end);
    const path = line.indexOf(RECORD_PATH) + RECORD_PATH.length;
    const close = line.indexOf('"', path);
    named.add(line.slice(line.lastIndexOf("/", close) + 1, close));
  });
  return named;
}

/** The same of whole entries of the decision log that were made after the day of the ledger's first line. */
export function unnotedDecisions(place: Place, decisions: readonly Decision[]): Decision[] {
  const since = decisions.length === 0 ? undefined : notedSince(place)?.slice(0, DAY_CHARACTERS);
  if (since === undefined) return [];
  const today = formatTimestamp(place.clock.now()).slice(0, DAY_CHARACTERS);
  const judged = decisions.filter(
    ({ date, task, head, carried }) =>
      date !== undefined &&
      date > since &&
      date < today &&
      task !== undefined &&
      head !== undefined &&
      carried === undefined,
  );
  if (judged.length === 0) return [];
  return readLedgerFiles(place.layout.state, (files) => {
    const noted = new Set<string>();
    for (const file of files) {
      scanMatching(file, '"event":"decision.recorded"', 0, (buffer, start, end) => {
        const title = parseLineBytes(buffer, start, end)?.fields.get("decision");
        if (typeof title === "string") noted.add(title);
      });
    }
    return judged.filter(({ title }) => !noted.has(title));
  });
}
