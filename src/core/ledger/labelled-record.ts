import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import type { Moment } from "../git/moment.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { isHistory, labelFreshness } from "../labels/freshness.ts";
import type { FreshnessThresholds } from "../labels/freshness.ts";
import type { MatchTier } from "../labels/resolution.ts";
import type { Divergence, Freshness } from "../labels/terms.ts";
import { sectionLines } from "../records/body-sections.ts";
import type { WorkRecordCandidate } from "../records/work-record-store.ts";
import type { WorkRecord } from "../records/work-record.ts";

/** A record with its two independent labels: where its commit stands, and how old it is. */
export interface LabelledRecord {
  /** Relative to the work tree; absolute where the record is a copy in the common directory. */
  path: string;
  name: string;
  record: WorkRecord;
  /** Undefined where the record does not resolve here. */
  tier: MatchTier | undefined;
  divergence: Divergence;
  divergenceReason: string;
  freshness: Freshness;
  freshnessReason: string;
  /** Whole minutes; undefined where there is no age. */
  ageMinutes: number | undefined;
  /** Stale or invalid: shown, and its next action withheld (promise 27). */
  history: boolean;
}

/** The thresholds of the policy, as labels take them. */
export function thresholdsOf(checkout: Pick<Checkout, "settings">): FreshnessThresholds {
  const { fresh_minutes: fresh, stale_minutes: stale } = checkout.settings.policy.session.freshness;
  return {
    ...(fresh === undefined ? {} : { freshMinutes: fresh }),
    ...(stale === undefined ? {} : { staleMinutes: stale }),
  };
}

/** Labels a record for this checkout and this moment. */
export function labelRecord(
  checkout: Pick<Checkout, "settings" | "root" | "branch" | "head" | "clock">,
  found: { candidate: WorkRecordCandidate; tier: MatchTier | undefined },
  moment: Moment,
): LabelledRecord {
  const { record, path, name } = found.candidate;
  const place = labelDivergence({ branch: record.branch, head: record.head }, checkout, (commit) =>
    moment.ancestry(commit),
  );
  const age = labelFreshness(record.created_at, checkout.clock.now(), thresholdsOf(checkout));
  return {
    path: shownPath(checkout.root, path),
    name,
    record,
    tier: found.tier,
    divergence: place.divergence,
    divergenceReason: place.reason,
    freshness: age.freshness,
    freshnessReason: age.reason,
    ageMinutes: age.ageMinutes,
    history: isHistory(age.freshness),
  };
}

/** The section that a reader acts on. */
export const NEXT_ACTION = "Next Action";

/** What a record says to do next, or why that is not passed on; undefined where it says nothing. */
export function nextActionOf(
  labelled: LabelledRecord,
): { lines: string[] } | { withheld: string } | undefined {
  const lines = sectionLines(labelled.record.body, NEXT_ACTION);
  if (lines === undefined || lines.length === 0) return undefined;
  return labelled.history
    ? { withheld: `the record is ${labelled.freshness}: ${labelled.freshnessReason}` }
    : { lines };
}
