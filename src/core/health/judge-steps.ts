import type { JournalEntry } from "../journal/event-journal.ts";
import { END_EVENTS, GOING_ON_EVENTS, PROMPT_EVENTS } from "../journal/event-kinds.ts";
import type { Finding } from "../labels/terms.ts";
import { clip } from "../text/inert.ts";
import { firstOf, judgement } from "./judgement.ts";

const SHOWN = 10;
const SHOWN_CHARACTERS = 300;

/** A step of the hooks whose last work failed. */
interface FailedStep {
  provider: string;
  step: string;
  /** The event that it failed at last. */
  event: string;
  at: string;
  reason: string;
  /** How often it failed without having worked in between. */
  times: number;
  /** It had nothing to do since: whether it would work now nobody knows. */
  idleSince: boolean;
}

/**
 * The steps that failed when they last had something to do, newest failure first. A step is the same at every event:
 * settings that can be read again are read by whatever comes next.
 *
 * @param entries oldest first
 */
function failedSteps(entries: readonly JournalEntry[]): FailedStep[] {
  const found = new Map<string, FailedStep>();
  const worked = new Set<string>();
  const idle = new Set<string>();
  for (const { provider, event, ts, steps } of entries.toReversed()) {
    for (const { step, result, reason } of (steps ?? []).toReversed()) {
      const key = `${provider} ${step}`;
      if (worked.has(key)) continue;
      const known = found.get(key);
      if (result === "skipped") idle.add(key);
      else if (result !== "failed") worked.add(key);
      else if (known === undefined) {
        const said = reason ?? "it did not say why";
        found.set(key, { provider, step, event, at: ts, reason: said, times: 1, idleSince: idle.has(key) });
      } else known.times += 1;
    }
  }
  return [...found.values()];
}

/** What of it the ledger has too: the rest is in receipts alone. */
function reproduce({ event }: FailedStep): string {
  const recorded = END_EVENTS.has(event) || (GOING_ON_EVENTS.has(event) && !PROMPT_EVENTS.has(event));
  return recorded ? "majordomus history --event provider.event.failed" : "majordomus run doctor.hooks";
}

/** Steps that failed when they last had something to do: hooks fail open, and nobody else says so (promise 39). */
export function judgeSteps(entries: readonly JournalEntry[]): Finding[] {
  const findings = failedSteps(entries).map((failed) => {
    const { provider, event, step, times, at, reason, idleSince } = failed;
    const often = times === 1 ? "failed" : `failed ${times} times in a row`;
    const message = `the step ${step} ${often}, last at ${event} ${at}: ${clip(reason, SHOWN_CHARACTERS)}`;
    const level = times > 1 && !idleSince ? "FAIL" : "WARN";
    return judgement(level, "hooks", provider, message, reproduce(failed));
  });
  return firstOf(findings, SHOWN);
}
