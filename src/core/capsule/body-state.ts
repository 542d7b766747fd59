import type { Clock } from "../base/clock.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Patience } from "../base/patience.ts";
import { statEntry } from "../fs/read.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { changeState } from "./shared-state.ts";

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

/**
 * Notes a capsule in `BODY_STATE.json`, whose other content stays. The file is never made.
 *
 * @returns false when there is no such file; or why it was left alone.
 * @throws LockTimeout, or the errno error.
 */
export function stampPointer(
  tree: MemoryTree,
  pointer: CapsulePointer,
  means: { clock: Clock; patience: Patience },
): Result<boolean, string> {
  const path = tree.bodyState;
  if (statEntry(path) === undefined) return ok(false);
  return changeState(path, means, (text) => {
    if (!text.ok) return failed(`BODY_STATE.json: ${text.error.message}`);
    const whole = parseObject(text.value);
    const state = whole?.["state"];
    if (whole === undefined || typeof state !== "object" || state === null || Array.isArray(state)) {
      return failed("BODY_STATE.json has no `state` object");
    }
    const next = { ...whole, state: { ...state, last_capsule: pointer } };
    const mode = Number((statEntry(path)?.mode ?? 0o644n) & 0o777n);
    return ok({ text: `${JSON.stringify(next, null, 2)}\n`, mode, value: true });
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
