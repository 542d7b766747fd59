import { isAbsolute, join } from "node:path";
import { installBaseOf } from "./install-root.ts";
import { canonicalPath } from "../fs/contain.ts";
import { readText } from "../fs/read.ts";
import { quoteValue } from "./quote.ts";

/** Whether somebody conducts several sessions at once, so that the capsule part of a start must wait (decisions.md 1.11). */
export type Coordination =
  | { state: "off" }
  /** The variable is set, and its file cannot be read: nobody is taken to conduct, and that is said. */
  | { state: "unreadable"; reason: string }
  | { state: "ended"; phase: string }
  | { state: "live"; reason: string };

const TERMINAL: ReadonlySet<string> = new Set([
  "done",
  "cancelled",
  "canceled",
  "closed",
  "complete",
  "aborted",
]);
const STATE_BYTES = 1024 * 1024;
const OCCASION_CHARACTERS = 80;

/** Judges a coordination file's text: what is not JSON, or has no phase of its own, is live, the safe direction. */
export function judgeCoordination(text: string): Coordination {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { state: "live", reason: "its state file is not JSON" };
  }
  const phase =
    typeof value === "object" && value !== null && Object.hasOwn(value, "phase")
      ? (value as { phase: unknown }).phase
      : undefined;
  if (typeof phase !== "string") return { state: "live", reason: "its state file has no phase" };
  if (TERMINAL.has(phase.trim().toLowerCase())) return { state: "ended", phase };
  return { state: "live", reason: "its phase has not ended" };
}

/** A link is the operator's own, and followed: whoever conducts behind one conducts all the same. */
function followed(path: string): string {
  try {
    return canonicalPath(path);
  } catch {
    return path;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The file that `AIGENT_COORDINATION_STATE` names, relative to the install root; undefined where it names none. */
export function coordinationFile(environment: Environment, base: string): string | undefined {
  const named = environment["AIGENT_COORDINATION_STATE"];
  if (named === undefined || named.trim() === "") return undefined;
  return isAbsolute(named) ? named : join(base, named);
}

/** Looks whether a coordinator is live: `AIGENT_COORDINATION_STATE` names its file, relative to the install root. */
export function readCoordination(environment: Environment, base: string): Coordination {
  const path = coordinationFile(environment, base);
  if (path === undefined) return { state: "off" };
  const text = readText(followed(path), { maximumBytes: STATE_BYTES });
  if (text.ok) return judgeCoordination(text.value);
  // A file that is there and too large to be judged is not the absence of one.
  if (text.error.kind === "too-large")
    return { state: "live", reason: "its state file is too large to read" };
  return { state: "unreadable", reason: text.error.message };
}

/** Why a clear would read and spend nothing now; undefined where it would (decisions.md 1.11). */
export function deferralOf(place: { environment: Environment; root: string }): string | undefined {
  const coordination = readCoordination(place.environment, installBaseOf(place.environment, place.root).base);
  return coordination.state === "live" ? coordination.reason : undefined;
}

/** The one line that a start prints of capsules while a coordinator is live, whatever brought the start about. */
export function composeDeferral(reason: string, source: string | undefined): string {
  const occasion = quoteValue(source ?? "startup", OCCASION_CHARACTERS);
  return `A conducted cycle is live (${reason}); orientation at ${occasion} is deferred, no capsule was read or spent.\n`;
}
