import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory, readText, stampOf } from "../fs/read.ts";
import { parseClosedSession } from "../records/closed-session.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { spanText } from "../base/time.ts";
import type { RecoveryAction } from "./recovery-answers.ts";
import type { Skipped } from "./plan-stranded.ts";

const TEMPORARY = /^\.tmp\.|\.mj-tmp$/;

/** What a temporary file of a killed write turned out to be (records.md 13.1). */
type OrphanVerdict = "live" | "incomplete" | "orphan" | "foreign";

interface Orphan {
  path: string;
  verdict: OrphanVerdict;
  reason: string;
}

function judge(checkout: Checkout, path: string, thresholdMilliseconds: number): Orphan | undefined {
  const stamp = stampOf(path);
  if (stamp === undefined) return undefined;
  // Age comes before content: a file that is being written right now may look like anything.
  const age = checkout.clock.now() - stamp.modified;
  if (age < thresholdMilliseconds) {
    return {
      path,
      verdict: "live",
      reason: `is only ${spanText(Math.max(0, Math.floor(age / 60_000)))} old`,
    };
  }
  const text = readText(path, { maximumBytes: 1024 * 1024 });
  if (!text.ok) return { path, verdict: "foreign", reason: text.error.message };
  if (text.value === "") return { path, verdict: "orphan", reason: "is empty" };
  if (path.endsWith(".mj-tmp")) {
    const target = path.slice(0, -".mj-tmp".length);
    return stampOf(target) === undefined
      ? { path, verdict: "foreign", reason: "has no target beside it" }
      : { path, verdict: "orphan", reason: "its target was written" };
  }
  const record = parseClosedSession(text.value);
  if (!record.ok) return { path, verdict: "foreign", reason: "is not a record of ours" };
  const published = findRecordOfSession(checkout.layout.sessions, record.value.session_id);
  return published === undefined
    ? {
        path,
        verdict: "incomplete",
        reason: `holds the record of ${record.value.session_id}, never published`,
      }
    : { path, verdict: "orphan", reason: "its record was published" };
}

/** Temporary files that a killed close or write left in the record stores. */
export function planOrphans(
  checkout: Checkout,
  thresholdMilliseconds: number,
): { actions: RecoveryAction[]; skipped: Skipped[] } {
  const actions: RecoveryAction[] = [];
  const skipped: Skipped[] = [];
  const { sessions, sessionsOpen, checkpoints, handovers, state } = checkout.layout;
  for (const directory of [sessions, sessionsOpen, checkpoints, handovers, state]) {
    for (const name of listDirectory(directory).filter((entry) => TEMPORARY.test(entry))) {
      const orphan = judge(checkout, join(directory, name), thresholdMilliseconds);
      if (orphan === undefined) continue;
      if (orphan.verdict === "live" || orphan.verdict === "foreign") {
        skipped.push({ subject: orphan.path, reason: orphan.reason });
        continue;
      }
      const publishes = orphan.verdict === "incomplete";
      actions.push({
        id: `orphan:${name}`,
        kind: "orphan",
        subject: orphan.path,
        reason: publishes ? "half-published record" : "temporary file left behind",
        evidence: [orphan.reason],
        ...(publishes ? { writes: ["the record, published under its own name"] } : {}),
        removes: [orphan.path],
      });
    }
  }
  return { actions, skipped };
}
