import { ok } from "../../base/result.ts";
import type { Result } from "../../base/result.ts";
import { isInjectionEcho, isNothingCaptured } from "../content-gate.ts";
import type { CapsuleDocument } from "../document.ts";
import { AUTOSAVE_TRIGGER, hasAutosaveTag } from "../judge.ts";
import { setField } from "../rewrite.ts";
import type { Replacement } from "../rewrite.ts";
import { parseStamp } from "../stamp.ts";
import { askedAt } from "./asked-at.ts";
import { bulletsOf, claimIn, neutral } from "./bullets.ts";
import type { SectionBullets } from "./bullets.ts";
import type { Delta } from "./delta.ts";
import { bulletsIn, mergeBullets, MOST_BULLETS } from "./sections.ts";
import type { MergedBody } from "./sections.ts";
import { jsonScalar, nextAction, unknownObjective, unknownWait } from "./skeleton.ts";
import type { Captured } from "./skeleton.ts";

/** What a writer knows of its session beyond the stretch that it just read. */
export interface SessionKnowledge {
  objective: string | undefined;
  firstRequest: string | undefined;
}

/** A capsule may not be larger, in bytes: older lines go first. */
const LARGEST_BYTES = 256 * 1024;

/** Whether a capsule is the Stop hook's own, so that its fields are ours to refresh (capsules.md 7.5). */
export function isOwn(document: CapsuleDocument): boolean {
  return document.text("trigger") === AUTOSAVE_TRIGGER && hasAutosaveTag(document);
}

export interface Merged {
  bytes: Buffer;
  lost: MergedBody["lost"];
}

function withBody(
  bytes: Buffer,
  document: CapsuleDocument,
  added: SectionBullets,
  most: number | undefined,
): Merged {
  const { bodyStart } = document.place;
  const merged = mergeBullets(bytes.toString("latin1", bodyStart), added, most);
  return {
    bytes: Buffer.concat([bytes.subarray(0, bodyStart), Buffer.from(merged.body, "latin1")]),
    lost: merged.lost,
  };
}

/** Only lines are added to a capsule that somebody wrote by hand; one that would grow too large stays as it is. */
export function mergeIntoCurated(
  bytes: Buffer,
  document: CapsuleDocument,
  delta: Delta,
  now: number,
): Merged {
  const merged = withBody(bytes, document, bulletsOf(delta, now), undefined);
  return merged.bytes.length > LARGEST_BYTES ? { bytes, lost: [] } : merged;
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
  const added: SectionBullets = {
    ...bulletsOf(delta, now),
    ...(known.firstRequest === undefined
      ? {}
      : { facts: [`- first_request: ${jsonScalar(neutral(known.firstRequest))}`] }),
  };
  const first = bulletsIn(bytes.toString("latin1", document.place.bodyStart), "facts").some((line) =>
    line.startsWith("- first_request: "),
  );
  if (first) delete added.facts;
  let merged = withBody(bytes, document, added, MOST_BULLETS);
  for (
    let most = MOST_BULLETS / 2;
    merged.bytes.length > LARGEST_BYTES && most >= 1;
    most = Math.floor(most / 2)
  ) {
    merged = withBody(merged.bytes, document, {}, most);
  }
  const refreshed = refreshFields(merged.bytes, document, delta, known, now);
  return refreshed.ok ? ok({ bytes: refreshed.value, lost: merged.lost }) : refreshed;
}

/** A new request makes an autosave as new as that; nothing makes it older. */
function renewal(document: CapsuleDocument, delta: Delta, now: number): Replacement[] {
  const created = parseStamp(document.text("created_at"));
  if (delta.latestRequest === undefined || created === undefined) return [];
  const asked = askedAt(delta, now);
  return Date.parse(asked) > created ? [{ key: "created_at", token: asked }] : [];
}

function refreshFields(
  bytes: Buffer,
  document: CapsuleDocument,
  delta: Delta,
  known: SessionKnowledge,
  now: number,
): Result<Buffer, string> {
  const rows = bulletsIn(bytes.toString("latin1", document.place.bodyStart), "rows");
  const claims = rows.map(claimIn).filter((claim) => claim !== undefined);
  const objective = objectiveOf(document, delta, known);
  const wait = document.scalar("waiting_on");
  const replacements: Replacement[] = [
    { key: "objective", token: jsonScalar(neutral(objective ?? unknownObjective(claims))) },
    { key: "next_valid_action", token: jsonScalar(nextAction(claims)) },
    { key: "captured", token: capturedOf(objective !== undefined, claims) },
    { key: "updated_at", token: new Date(now).toISOString() },
    ...renewal(document, delta, now),
    ...(wait === undefined || wait.nothing || wait.text.trim() === ""
      ? [{ key: "waiting_on", token: jsonScalar(unknownWait(delta.errors.length)) }]
      : []),
  ];
  let current = bytes;
  for (const replacement of replacements) {
    const set = setField(current, replacement);
    if (!set.ok) return set;
    current = set.value;
  }
  return ok(current);
}
