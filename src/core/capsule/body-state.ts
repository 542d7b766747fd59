import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Patience } from "../base/patience.ts";
import { readText, statEntry } from "../fs/read.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { writeAtomic } from "../fs/write.ts";
import { ensureRuntime, stateLock } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";

/** A hint for audits: which capsule was written last. Nothing resumes from it (capsules.md 7.2). */
export interface CapsulePointer {
  id: string;
  /** Relative to the install root, with forward slashes. */
  path: string;
  objective: string;
  status: string;
  created_at: string;
  trigger: string;
  session_id?: string;
}

const STATE_BYTES = 8 * 1024 * 1024;

/**
 * Notes a capsule in `BODY_STATE.json`, whose other content stays. The file is never made.
 *
 * @returns false when there is no such file; or why it was left alone.
 * @throws LockTimeout, or the errno error.
 */
export function stampPointer(
  tree: MemoryTree,
  pointer: CapsulePointer,
  patience: Patience,
): Result<boolean, string> {
  const path = tree.bodyState;
  if (statEntry(path) === undefined) return ok(false);
  ensureRuntime(tree);
  return withPatientLock(stateLock(tree, "body-state"), patience, (lock) => {
    const text = readText(path, { maximumBytes: STATE_BYTES });
    if (!text.ok) return failed(`BODY_STATE.json: ${text.error.message}`);
    const whole = parseObject(text.value);
    const state = whole?.["state"];
    if (whole === undefined || typeof state !== "object" || state === null || Array.isArray(state)) {
      return failed("BODY_STATE.json has no `state` object");
    }
    const next = { ...whole, state: { ...state, last_capsule: pointer } };
    const now = readText(path, { maximumBytes: STATE_BYTES });
    if (!now.ok || now.value !== text.value) return failed("BODY_STATE.json moved meanwhile (EDRIFT)");
    lock.assertHeld();
    const mode = Number((statEntry(path)?.mode ?? 0o644n) & 0o777n);
    writeAtomic(path, `${JSON.stringify(next, null, 2)}\n`, { mode });
    return ok(true);
  });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
