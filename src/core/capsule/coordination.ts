import { isAbsolute, join } from "node:path";
import { canonicalPath } from "../fs/contain.ts";
import { readText } from "../fs/read.ts";

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

/** Looks whether a coordinator is live: `AIGENT_COORDINATION_STATE` names its file, relative to the install root. */
export function readCoordination(
  environment: Readonly<Record<string, string | undefined>>,
  base: string,
): Coordination {
  const named = environment["AIGENT_COORDINATION_STATE"];
  if (named === undefined || named.trim() === "") return { state: "off" };
  const path = isAbsolute(named) ? named : join(base, named);
  const text = readText(followed(path), { maximumBytes: STATE_BYTES });
  if (text.ok) return judgeCoordination(text.value);
  // A file that is there and too large to be judged is not the absence of one.
  if (text.error.kind === "too-large")
    return { state: "live", reason: "its state file is too large to read" };
  return { state: "unreadable", reason: text.error.message };
}
