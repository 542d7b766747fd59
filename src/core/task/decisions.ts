import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { isNoted } from "../ledger/noted.ts";
import { recordEvent } from "../ledger/record-event.ts";
import {
  DECISIONS_PREAMBLE,
  formatDecision,
  LOG_MAXIMUM_BYTES,
  parseDecisions,
  readDecisions,
  supersededDecisions,
} from "../records/decisions.ts";
import type { Decision } from "../records/decisions.ts";
import { badArgument, hidden, oneLine, optionalLine, underLock } from "./author.ts";
import type { Author } from "./author.ts";
import { currentTask } from "./current-task.ts";
import { readBytes, replaceBytes, wholeLines } from "./log-file.ts";

export interface DecisionGiven {
  title: string;
  why: string;
  rejected?: string | undefined;
  evidence?: string | undefined;
  supersedes?: string | undefined;
}

/** An entry as it is listed: with the heading of the later one that replaces it. */
export type ListedDecision = Decision & { superseded_by?: string };

/**
 * The one entry that a selector means: its whole heading or title, else the only one that contains it.
 *
 * @throws MajordomusError 2 when it means none or several.
 */
export function selectDecision<Entry extends Decision>(decisions: readonly Entry[], selector: string): Entry {
  const wanted = oneLine("decision", selector);
  const exact = decisions.filter(({ heading, title }) => heading === wanted || title === wanted);
  const matching = exact.length > 0 ? exact : decisions.filter(({ heading }) => heading.includes(wanted));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  throw badArgument(
    selector,
    only === undefined ? "matches no decision" : `matches more than one decision (${matching.length})`,
    "`majordomus decision list` shows them",
  );
}

/** The last entry, where it says this and its line never came: the run that wrote it was killed before that. */
function unfinished(
  checkout: Checkout,
  standing: readonly Decision[],
  { title, why, task }: { title: string; why: string; task: string },
): Decision | undefined {
  const last = standing.at(-1);
  if (last?.title !== title || last.why !== why || last.task !== task) return undefined;
  return isNoted(checkout, "decision.recorded", { task_id: task, decision: title }) ? undefined : last;
}

/**
 * Adds an entry at the end of the log (records.md 8.4). Every byte that stands there is kept. An entry whose
 * writing was cut short before its ledger line is completed, not repeated.
 *
 * @throws MajordomusError 2 for an empty or ambiguous value, 10 where the log cannot be read. Nothing is
 *   written then.
 */
export function addDecision(checkout: Checkout, given: DecisionGiven, author: Author): Decision {
  const title = oneLine("decision", given.title);
  const why = oneLine("why", given.why);
  const rejected = optionalLine("rejected", given.rejected);
  const evidence = optionalLine("evidence", given.evidence);
  const supersedes = optionalLine("supersedes", given.supersedes);
  const path = checkout.layout.decisions;
  const task = currentTask(checkout)?.id ?? "none";
  const written = underLock(checkout, "decisions", (lock) => {
    const standing = readBytes(path, LOG_MAXIMUM_BYTES);
    const known = parseDecisions(standing.toString("utf8"));
    const halfway = unfinished(checkout, known, { title, why, task });
    if (halfway !== undefined) return halfway;
    const old = supersedes === undefined ? undefined : selectDecision(known, supersedes);
    const entry = {
      date: formatTimestamp(checkout.clock.now()).slice(0, 10),
      title,
      task,
      head: headText(checkout),
      why,
      ...(rejected === undefined ? {} : { rejected }),
      ...(evidence === undefined ? {} : { evidence }),
      ...(old === undefined ? {} : { supersedes: old.title }),
    };
    const before = standing.length === 0 ? Buffer.from(DECISIONS_PREAMBLE) : wholeLines(standing);
    const bytes = Buffer.concat([before, Buffer.from(`\n${formatDecision(entry)}`)]);
    const added = parseDecisions(bytes.toString("utf8")).at(-1);
    if (added?.title !== title) throw hidden(path);
    replaceBytes(path, bytes, lock);
    return added;
  });
  recordEvent(checkout, "decision.recorded", { task_id: task, decision: title }, { session: author.session });
  return written;
}

/**
 * The entries of the log, oldest first.
 *
 * @param task only entries of this task, when given.
 * @throws MajordomusError 10 where the log cannot be read.
 */
export function listDecisions(checkout: Pick<Checkout, "layout">, task?: string): ListedDecision[] {
  const decisions = readDecisions(checkout.layout.decisions);
  if (decisions.ok) {
    const superseded = supersededDecisions(decisions.value);
    return decisions.value
      .filter((entry) => task === undefined || entry.task === task)
      .map((entry) => {
        const successor = superseded.get(entry);
        return successor === undefined ? entry : { ...entry, superseded_by: successor.heading };
      });
  }
  throw new MajordomusError({
    code: "decisions.unreadable",
    exit: EXIT.finding,
    subject: checkout.layout.decisions,
    message: decisions.error,
  });
}

/**
 * One entry of the log.
 *
 * @throws MajordomusError 12 when no entry matches, 2 when several do.
 */
export function showDecision(checkout: Pick<Checkout, "layout">, selector: string): ListedDecision {
  const decisions = listDecisions(checkout);
  const wanted = oneLine("decision", selector);
  if (decisions.some(({ heading }) => heading.includes(wanted))) return selectDecision(decisions, selector);
  throw new MajordomusError({
    code: "decision.absent",
    exit: EXIT.missing,
    subject: selector,
    message: "matches no decision",
    remedy: "`majordomus decision list` shows them",
  });
}
