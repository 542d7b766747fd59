import type { Random } from "../base/random.ts";
import { compactTimestamp } from "../base/time.ts";

/** Whole names stay below what any file system takes; the true branch stands in the record. */
const NAME_BYTES = 200;
const SESSION_ID_BYTES = 64;
const SUFFIX_RANDOM_BYTES = 8;

export interface NameFacts {
  /** Milliseconds since the epoch: the second of publishing, which may be later than `created_at`. */
  at: number;
  /** `DETACHED` when no branch is checked out. */
  branch: string;
  /** HEAD's commit at publishing; undefined before the first commit. */
  head: string | undefined;
  random: Random;
}

/** A branch as it stands in file names: every character outside `[A-Za-z0-9._-]` is `-` (records.md 1.3). */
export function branchKey(branch: string): string {
  return branch.replace(/[^A-Za-z0-9._-]/gu, "-");
}

function composeName(facts: NameFacts, middle: readonly string[]): string {
  const before = [compactTimestamp(facts.at), ...middle].join("--");
  const after = `${branchKey(facts.head ?? "NONE").slice(0, 7)}--${facts.random.hex(SUFFIX_RANDOM_BYTES)}.md`;
  const room = NAME_BYTES - before.length - after.length - "----".length;
  return `${before}--${branchKey(facts.branch).slice(0, room)}--${after}`;
}

/** The name of a handover or checkpoint, `<utc>--<branch>--<head7>--<16hex>.md` (records.md 1.4). */
export function recordName(facts: NameFacts): string {
  return composeName(facts, []);
}

/** The name of a closed session record: like {@link recordName}, with the session id after the time. */
export function closedSessionName(facts: NameFacts & { sessionId: string }): string {
  return composeName(facts, [nameableSessionId(facts.sessionId)]);
}

/** The name of a working context document, `<utc>--<session id>.md` (records.md 3.7). */
export function workingContextName(at: number, sessionId: string): string {
  return `${compactTimestamp(at)}--${nameableSessionId(sessionId)}.md`;
}

/** True when the name of a closed record or working context carries this session id. */
export function nameCarriesSession(name: string, sessionId: string): boolean {
  const part = nameableSessionId(sessionId);
  const rest = name.slice(name.indexOf("--") + 2);
  return name.includes("--") && (rest.startsWith(`${part}--`) || rest === `${part}.md`);
}

function nameableSessionId(sessionId: string): string {
  return branchKey(sessionId).slice(0, SESSION_ID_BYTES);
}
