import type { EvidenceSummary } from "../../core/knowledge/answers.ts";
import type { Divergence, Finding, Freshness } from "../../core/labels/terms.ts";
import { GLYPH } from "../glyphs.ts";
import { span } from "./line.ts";
import type { Span, Tone } from "./line.ts";
import type { TravellingRecord, TravelStanding } from "./rows.ts";

/** The labels of records, each with its colour and a symbol for those who see none. */
export const DIVERGENCE: Readonly<Record<Divergence, { symbol: string; tone: Tone; meaning: string }>> = {
  exact: { symbol: GLYPH.exact, tone: "good", meaning: "made at this very commit" },
  advanced: { symbol: GLYPH.arrow, tone: "info", meaning: "this branch has moved on since" },
  diverged: { symbol: GLYPH.diverged, tone: "bad", meaning: "its commit is not in this history" },
  different_context: { symbol: GLYPH.elsewhere, tone: "muted", meaning: "another branch" },
  unknown: { symbol: "?", tone: "warn", meaning: "git cannot tell" },
};

/** The tones of findings. */
export const LEVEL_TONE: Readonly<Record<Finding["level"], Tone>> = {
  OK: "good",
  INFO: "muted",
  WARN: "warn",
  FAIL: "bad",
  DRIFT: "warn",
};

/** What became of that which a knowledge record rests on. */
export const EVIDENCE: Readonly<Record<EvidenceSummary, { symbol: string; tone: Tone }>> = {
  resolved: { symbol: GLYPH.exact, tone: "good" },
  dangling: { symbol: GLYPH.diverged, tone: "bad" },
  "not-here": { symbol: GLYPH.elsewhere, tone: "muted" },
  unknown: { symbol: "?", tone: "warn" },
  none: { symbol: GLYPH.none, tone: "warn" },
};

export function evidenceSpan(evidence: EvidenceSummary): Span {
  const { symbol, tone } = EVIDENCE[evidence];
  return span(`${symbol} ${evidence}`, tone);
}

/** What a travelling record is to this checkout. */
export const TRAVEL: Readonly<Record<TravelStanding, { tone: Tone; says: string }>> = {
  offer: { tone: "accent", says: "waits to be resumed here" },
  here: { tone: "good", says: "where this branch stands" },
  diverged: { tone: "bad", says: "one of several ways on" },
  head: { tone: "plain", says: "the end of its line" },
  hidden: { tone: "muted", says: "hidden on this machine" },
  past: { tone: "muted", says: "gone on from" },
};

export const TRUST_TONE: Readonly<Record<TravellingRecord["trust"], Tone>> = {
  this_device: "good",
  trusted: "good",
  untrusted: "bad",
  undeclared: "warn",
};

const FRESHNESS_TONE: Readonly<Record<Freshness, Tone>> = {
  fresh: "plain",
  aging: "muted",
  stale: "muted",
  unknown: "warn",
  invalid: "warn",
};

export function divergenceSpan(divergence: Divergence | undefined): Span {
  if (divergence === undefined) return span("");
  const { symbol, tone } = DIVERGENCE[divergence];
  return span(`${symbol} ${divergence}`, tone);
}

export function freshnessSpan(freshness: Freshness): Span {
  return span(freshness, FRESHNESS_TONE[freshness]);
}
