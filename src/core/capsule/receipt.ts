import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { ensureRuntime } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { changeState, readState } from "./shared-state.ts";
import type { StateText } from "./shared-state.ts";

/** What a boot leaves behind: which session began, why, and that it was the n-th (capsules.md 8). */
export interface BootReceipt {
  boot_sequence: number;
  session_id: string;
  source: string;
  observed_at: string;
}

/** The receipt on disk as JSON: undefined where it is absent, unreadable or no object. */
function parseRaw(text: StateText): Record<string, unknown> | undefined {
  if (!text.ok) return undefined;
  try {
    const value: unknown = JSON.parse(text.value);
    const whole = typeof value === "object" && value !== null && !Array.isArray(value);
    return whole ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The number of the boot before this one; undefined where there is no receipt that can be believed. */
function sequenceOf(raw: Record<string, unknown> | undefined): number | undefined {
  if (raw === undefined) return undefined;
  const { boot_sequence: sequence, session_id: session, source, observed_at: observed } = raw;
  const whole =
    typeof sequence === "number" &&
    Number.isSafeInteger(sequence) &&
    sequence >= 0 &&
    sequence < Number.MAX_SAFE_INTEGER &&
    typeof session === "string" &&
    typeof source === "string" &&
    typeof observed === "string" &&
    !Number.isNaN(Date.parse(observed));
  return whole ? sequence : undefined;
}

/** The session that the receipt on disk names; a cross-check, never an authority. */
export function readReceiptSession(tree: MemoryTree): string | undefined {
  const session = parseRaw(readState(tree.receipt))?.["session_id"];
  const trimmed = typeof session === "string" ? session.trim() : "";
  return trimmed === "" ? undefined : trimmed;
}

/**
 * When the newest boot left its receipt, in milliseconds; undefined where none can be believed, or where it is of a
 * time to come.
 */
export function readReceiptTime(tree: MemoryTree, now: number): number | undefined {
  const raw = parseRaw(readState(tree.receipt));
  if (sequenceOf(raw) === undefined) return undefined;
  const at = Date.parse(String(raw?.["observed_at"]));
  return at <= now ? at : undefined;
}

/** Where no receipt stands, nothing shows that there was one before: the first boot says the same. */
export const NO_FORMER_RECEIPT = "there was no former receipt to go on from";

/** The tag of what is logged about receipts. */
export const RECEIPT_TAG = "boot-receipt";

/** Why counting begins anew; undefined where it goes on. */
function reasonToRestart(text: StateText, previous: number | undefined): string | undefined {
  if (previous !== undefined) return undefined;
  return !text.ok && text.error.kind === "absent"
    ? NO_FORMER_RECEIPT
    : "the former receipt could not be believed";
}

/**
 * Writes the receipt of a boot.
 *
 * @returns the receipt, and why counting began anew where it did; or why none was written.
 * @throws LockTimeout, MajordomusError or the errno error; the boot goes on without a receipt.
 */
export function writeReceipt(
  tree: MemoryTree,
  boot: { session: string | undefined; source: string },
  means: { clock: Clock; patience: Patience },
): Result<{ receipt: BootReceipt; restarted: string | undefined }, string> {
  ensureRuntime(tree);
  return changeState(tree.receipt, means, (text) => {
    const previous = sequenceOf(parseRaw(text));
    const receipt: BootReceipt = {
      boot_sequence: previous === undefined ? 0 : previous + 1,
      session_id: boot.session ?? "",
      source: boot.source,
      observed_at: new Date(means.clock.now()).toISOString(),
    };
    const value = { receipt, restarted: reasonToRestart(text, previous) };
    return ok({ text: `${JSON.stringify(receipt, null, 2)}\n`, mode: 0o600, value });
  });
}

/** Where the receipt lies, as people are told: relative to the install root. */
export function shownReceiptPath(tree: MemoryTree): string {
  return join(tree.memory.relative, "runtime", "boot-receipt.json").replaceAll("\\", "/");
}
