import { ok } from "../../base/result.ts";
import type { Result } from "../../base/result.ts";
import { isInjectionEcho, isNothingCaptured } from "../content-gate.ts";
import type { CapsuleDocument } from "../document.ts";
import { AUTOSAVE_TRIGGER, hasAutosaveTag } from "../judge.ts";
import { setField } from "../rewrite.ts";
import type { Replacement } from "../rewrite.ts";
import { parseStamp } from "../stamp.ts";
import { askedAt } from "./asked-at.ts";
import { changesOf, claimIn, neutral, NO_CHANGES } from "./bullets.ts";
import type { SectionChanges } from "./bullets.ts";
import type { Delta } from "./delta.ts";
import { bulletsIn, mergeBullets, MOST_BULLETS } from "./sections.ts";
import type { MergedBody } from "./sections.ts";
import { errorsInWait, jsonScalar, nextAction, unknownObjective, unknownWait } from "./skeleton.ts";
import type { Captured } from "./skeleton.ts";

/** What a writer knows of its session beyond the stretch that it just read. */
export interface SessionKnowledge {
  objective: string | undefined;
  firstRequest: string | undefined;
}

/** A capsule may not be larger, in bytes: older lines go first. */
export const LARGEST_BYTES = 256 * 1024;

/** Whether a capsule is the Stop hook's own, so that its fields are ours to refresh (capsules.md 7.5). */
export function isOwn(document: CapsuleDocument): boolean {
  return document.text("trigger") === AUTOSAVE_TRIGGER && hasAutosaveTag(document);
}

export interface Merged {
  bytes: Buffer;
  lost: MergedBody["lost"];
  /** Lines that a capsule has no room for. */
  refused: number;
  /** The tasks that were claimed in it before. */
  claimed: string[];
}

function withBody(
  bytes: Buffer,
  document: CapsuleDocument,
  changes: SectionChanges,
  most: number | undefined,
): Pick<Merged, "bytes" | "lost"> {
  const { bodyStart } = document.place;
  const merged = mergeBullets(bytes.toString("latin1", bodyStart), changes, most);
  return {
    bytes: Buffer.concat([bytes.subarray(0, bodyStart), Buffer.from(merged.body, "latin1")]),
    lost: merged.lost,
  };
}

/** The tasks of the lines in Claimed-Rows that a writer put there. */
function claimedIn(bytes: Buffer, document: CapsuleDocument): string[] {
  return bulletsIn(bytes.toString("latin1", document.place.bodyStart), "rows")
    .map(claimIn)
    .filter((claim) => claim !== undefined);
}

/** How many lines a stretch has for a capsule, those that are only counted too. */
function linesOf({ bullets, events, left }: SectionChanges): number {
  const lines = [...Object.values(bullets), ...Object.values(events)];
  return [...lines.map((list) => list.length), ...Object.values(left)].reduce((sum, count) => sum + count, 0);
}

/** Only lines are added to a capsule that somebody wrote by hand; one that would grow too large stays as it is. */
export function mergeIntoCurated(
  bytes: Buffer,
  document: CapsuleDocument,
  delta: Delta,
  now: number,
): Merged {
  const changes = { ...changesOf(delta, now), untrue: {} };
  const merged = withBody(bytes, document, changes, undefined);
  const claimed = claimedIn(bytes, document);
  return merged.bytes.length > LARGEST_BYTES
    ? { bytes, lost: [], refused: linesOf(changes), claimed }
    : { ...merged, refused: 0, claimed };
}

function capturedOf(human: boolean, claims: readonly string[]): Captured {
  if (human && claims.length > 0) return "full";
  return human || claims.length > 0 ? "partial" : "none";
}

/** The objective of an autosave now: the newest request, else what stands there, unless that is no person's. */
function objectiveOf(document: CapsuleDocument, delta: Delta, known: SessionKnowledge): string | undefined {
  if (delta.latestRequest !== undefined) return delta.latestRequest;
  const standing = document.text("objective").trim();
  const personal = standing !== "" && !isNothingCaptured(standing) && !isInjectionEcho(standing);
  return personal ? standing : known.objective;
}

/**
 * Brings one of our own autosaves up to date: new lines, then the fields, from what the file and the stretch give
 * evidence of. Identity and state are never changed.
 *
 * @param now milliseconds since the epoch.
 */
export function mergeIntoOwn(
  bytes: Buffer,
  document: CapsuleDocument,
  delta: Delta,
  known: SessionKnowledge,
  now: number,
): Result<Merged, string> {
  const standing = bulletsIn(bytes.toString("latin1", document.place.bodyStart), "facts");
  const first = standing.some((line) => line.startsWith("- first_request: "));
  const changes = changesOf(delta, now);
  if (!first && known.firstRequest !== undefined) {
    changes.bullets.facts = [`- first_request: ${jsonScalar(neutral(known.firstRequest))}`];
  }
  let merged = withBody(bytes, document, changes, MOST_BULLETS);
  for (
    let most = MOST_BULLETS / 2;
    merged.bytes.length > LARGEST_BYTES && most >= 1;
    most = Math.floor(most / 2)
  ) {
    merged = withBody(merged.bytes, document, NO_CHANGES, most);
  }
  const refreshed = refreshFields(merged.bytes, document, delta, known, now);
  const claimed = claimedIn(bytes, document);
  return refreshed.ok ? ok({ bytes: refreshed.value, lost: merged.lost, refused: 0, claimed }) : refreshed;
}

/** A new request makes an autosave as new as that; nothing makes it older. */
function renewal(document: CapsuleDocument, delta: Delta, now: number): Replacement[] {
  const created = parseStamp(document.text("created_at"));
  if (delta.latestRequest === undefined || created === undefined) return [];
  const asked = askedAt(delta, now);
  return Date.parse(asked) > created ? [{ key: "created_at", token: asked }] : [];
}

/** What is awaited is nobody's to change but where it says nothing, or is our own count of the errors that were seen. */
function waitOf(document: CapsuleDocument, delta: Delta): Replacement[] {
  const wait = document.scalar("waiting_on");
  const empty = wait === undefined || wait.nothing || wait.text.trim() === "";
  const before = empty ? 0 : errorsInWait(wait.text);
  if (before === undefined) return [];
  const now = delta.errors.length + delta.dropped.errors;
  const seen = delta.again ? Math.max(before, now) : before + now;
  return empty || seen > before ? [{ key: "waiting_on", token: jsonScalar(unknownWait(seen)) }] : [];
}

function refreshFields(
  bytes: Buffer,
  document: CapsuleDocument,
  delta: Delta,
  known: SessionKnowledge,
  now: number,
): Result<Buffer, string> {
  const claims = claimedIn(bytes, document);
  const objective = objectiveOf(document, delta, known);
  const replacements: Replacement[] = [
    { key: "objective", token: jsonScalar(neutral(objective ?? unknownObjective(claims))) },
    { key: "next_valid_action", token: jsonScalar(nextAction(claims)) },
    { key: "captured", token: capturedOf(objective !== undefined, claims) },
    { key: "updated_at", token: new Date(now).toISOString() },
    ...renewal(document, delta, now),
    ...waitOf(document, delta),
  ];
  let current = bytes;
  for (const replacement of replacements) {
    const set = setField(current, replacement);
    if (!set.ok) return set;
    current = set.value;
  }
  return ok(current);
}
