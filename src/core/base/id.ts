import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";
import { createHash } from "node:crypto";
import { lightSha256 } from "./light-hash.ts";
import { compactTimestamp } from "./time.ts";

/** Names and paths: to hash them by hand takes less than to load what hashes faster. */
const SHORT_CHARACTERS = 512;

/** Lowercase hex SHA-256. */
export function sha256Hex(data: string | Uint8Array): string {
  if (typeof data === "string" && data.length <= SHORT_CHARACTERS) return lightSha256(data);
  return createHash("sha256").update(data).digest("hex");
}

function stampedId(prefix: "s" | "t", clock: Clock, random: Random): string {
  const digits = compactTimestamp(clock.now()).replaceAll(/[TZ]/g, "");
  return `${prefix}-${digits}-${random.hex(2)}`;
}

/** Mints an episode id, `s-<14 digits>-<4 hex>` (records.md 2). */
export function newSessionId(clock: Clock, random: Random): string {
  return stampedId("s", clock, random);
}

/** Mints a task id, `t-<14 digits>-<4 hex>` (records.md 2). */
export function newTaskId(clock: Clock, random: Random): string {
  return stampedId("t", clock, random);
}

const SESSION_ID = /^s-\d{14}-[0-9a-f]{4}$/;
const TASK_ID = /^t-(?:\d{14}|\d{8}-\d{6})-[0-9a-f]{4}$/;
const COMMIT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** Older documents show `t-<8>-<6>-<4>`: read, never written. */
export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** A full object name, SHA-1 or SHA-256. Anything else must never reach git's input. */
export function isCommitId(text: string): boolean {
  return COMMIT_ID.test(text);
}
