import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { readText } from "../fs/read.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { writeAtomic } from "../fs/write.ts";
import { ensureRuntime, stateLock } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";

/** What a boot leaves behind: which session began, why, and that it was the n-th (capsules.md 8). */
export interface BootReceipt {
  boot_sequence: number;
  session_id: string;
  source: string;
  observed_at: string;
}

const RECEIPT_BYTES = 64 * 1024;

/** The receipt on disk as JSON: undefined where it is absent, unreadable or no object. */
function readRaw(path: string): Record<string, unknown> | undefined {
  const text = readText(path, { maximumBytes: RECEIPT_BYTES });
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
  const session = readRaw(tree.receipt)?.["session_id"];
  const trimmed = typeof session === "string" ? session.trim() : "";
  return trimmed === "" ? undefined : trimmed;
}

/**
 * Writes the receipt of a boot.
 *
 * @returns the receipt, and whether the former one could not be believed, so that counting began anew.
 * @throws LockTimeout, MajordomusError or the errno error; the boot goes on without a receipt.
 */
export function writeReceipt(
  tree: MemoryTree,
  boot: { session: string | undefined; source: string },
  means: { clock: Clock; patience: Patience },
): { receipt: BootReceipt; restarted: boolean } {
  ensureRuntime(tree);
  return withPatientLock(stateLock(tree, "boot-receipt"), means.patience, (lock) => {
    const previous = sequenceOf(readRaw(tree.receipt));
    const receipt: BootReceipt = {
      boot_sequence: previous === undefined ? 0 : previous + 1,
      session_id: boot.session ?? "",
      source: boot.source,
      observed_at: new Date(means.clock.now()).toISOString(),
    };
    lock.assertHeld();
    writeAtomic(tree.receipt, `${JSON.stringify(receipt, null, 2)}\n`, { mode: 0o600 });
    return { receipt, restarted: previous === undefined };
  });
}

/** Where the receipt lies, as people are told: relative to the install root. */
export function shownReceiptPath(tree: MemoryTree): string {
  return join(tree.memory.relative, "runtime", "boot-receipt.json").replaceAll("\\", "/");
}
