import { EXIT, MajordomusError } from "../base/error.ts";
import { parseTimestamp } from "../base/time.ts";
import { stampOf } from "../fs/read.ts";
import { scanLines, scanMatching } from "../fs/scan.ts";
import type { HistoryAnswer, HistoryInput } from "./answers.ts";
import { describeLine } from "./describe.ts";
import { parseLine } from "./line.ts";
import { LineProbe } from "./probe.ts";
import { MAXIMUM_LINE_BYTES } from "./read.ts";
import { isRegistered } from "./vocabulary.ts";

const DEFAULT_LIMIT = 200;

/** The members that filters look at, in the probe's order after `ts` and `event`. */
const FILTERED = ["session", "branch", "task_id", "task"];
const [EVENT, SESSION, BRANCH, TASK_ID, TASK] = [1, 2, 3, 4, 5];

/** Whether the line that the probe has read, whose text `lineText` gives, is asked for. */
type Filter = (probe: LineProbe, lineText: () => string) => boolean;

/**
 * The newest matching lines of a ledger, oldest first, with what was left out and what could not be read.
 *
 * @param from where to begin: 0, or the `consumed` of an earlier answer to follow a growing ledger.
 * @throws MajordomusError 2 for an event outside the vocabulary or a time that is none.
 */
export function readHistory(path: string, input: HistoryInput, from: number = 0): HistoryAnswer {
  const filters = filtersOf(input);
  const newest = new NewestLines(input.limit ?? DEFAULT_LIMIT);
  const probe = new LineProbe(FILTERED);
  const counts = { total: 0, matched: 0, malformed: 0, unregistered: 0 };
  const end = scanLines(
    path,
    whereToGoOn(path, from),
    (buffer, start, stop, offset) => {
      counts.total += 1;
      if (!probe.read(buffer, start, stop)) {
        counts.malformed += 1;
        return;
      }
      if (!isRegistered(probe.text(EVENT) ?? "")) counts.unregistered += 1;
      const lineText = (): string => buffer.toString("utf8", start, stop);
      if (!filters.every((filter) => filter(probe, lineText))) return;
      counts.matched += 1;
      newest.add(offset, lineText());
    },
    {
      maximumLineBytes: MAXIMUM_LINE_BYTES,
      onOversized: () => {
        counts.total += 1;
        counts.malformed += 1;
      },
    },
  );
  const lines = newest.inOrder().flatMap(({ offset, text }) => {
    const line = parseLine(text);
    return line === undefined ? [] : [describeLine(line, offset)];
  });
  return {
    lines,
    ...counts,
    cut: counts.matched - lines.length,
    torn_bytes: end.tornBytes,
    consumed: end.consumed,
  };
}

/**
 * A reader that follows a ledger comes back with an offset from before its rotation: what it has not seen
 * begins at the line that says so.
 */
function whereToGoOn(path: string, from: number): number {
  if (from === 0 || (stampOf(path)?.size ?? 0) >= from) return from;
  let rotated = 0;
  scanMatching(path, '"event":"ledger.rotated"', 0, (_buffer, _start, _end, offset) => {
    rotated = offset;
  });
  return rotated;
}

interface KeptLine {
  offset: number;
  text: string;
}

/** A ring of the last so many lines: a filter that matches a million of them keeps few in memory. */
class NewestLines {
  private readonly limit: number;
  private readonly ring: KeptLine[] = [];
  private oldest = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(offset: number, text: string): void {
    if (this.ring.length < this.limit) {
      this.ring.push({ offset, text });
      return;
    }
    this.ring[this.oldest] = { offset, text };
    this.oldest = (this.oldest + 1) % this.limit;
  }

  inOrder(): KeptLine[] {
    return [...this.ring.slice(this.oldest), ...this.ring.slice(0, this.oldest)];
  }
}

function filtersOf(input: HistoryInput): Filter[] {
  const { event, session, branch, task, text } = input;
  const filters: Filter[] = [];
  if (event !== undefined) {
    if (!isRegistered(event)) throw usage("history.event", event, "is not a registered ledger event");
    filters.push((probe) => probe.text(EVENT) === event);
  }
  if (session !== undefined) filters.push((probe) => probe.text(SESSION) === session);
  if (branch !== undefined) filters.push((probe) => probe.text(BRANCH) === branch);
  if (task !== undefined) filters.push((probe) => probe.text(TASK_ID) === task || probe.text(TASK) === task);
  const since = input.since === undefined ? undefined : timeBound(input.since, "00:00:00");
  if (since !== undefined) filters.push((probe) => (probe.text(0) ?? "") >= since);
  const until = input.until === undefined ? undefined : timeBound(input.until, "23:59:59");
  if (until !== undefined) filters.push((probe) => (probe.text(0) ?? "") <= until);
  if (text !== undefined) {
    const wanted = text.toLowerCase();
    filters.push((_probe, lineText) => lineText().toLowerCase().includes(wanted));
  }
  return filters;
}

/** A timestamp, or a date that stands for its first or last second. Timestamps compare as text. */
function timeBound(text: string, clock: string): string {
  const bound = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T${clock}Z` : text;
  if (parseTimestamp(bound) !== undefined) return bound;
  throw usage("history.time", text, "is neither YYYY-MM-DD nor YYYY-MM-DDTHH:MM:SSZ in UTC");
}

function usage(code: string, subject: string, message: string): MajordomusError {
  return new MajordomusError({ code, exit: EXIT.usage, subject, message });
}
