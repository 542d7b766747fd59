import type { Clock } from "../base/clock.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Patience } from "../base/patience.ts";
import { statEntry } from "../fs/read.ts";
import { appendMember, replaceNode } from "../installation/json-edit.ts";
import { memberOf, parseJson } from "../installation/json-tree.ts";
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
    const pointed = withPointer(text.value, pointer);
    if (pointed === undefined) return failed("BODY_STATE.json has no `state` object");
    const mode = Number((statEntry(path)?.mode ?? 0o644n) & 0o777n);
    return ok({ text: pointed, mode, value: true });
  });
}

/** The file belongs to other programs too: every byte that is not the pointer's stays. */
function withPointer(text: string, pointer: CapsulePointer): string | undefined {
  const parsed = parseJson(text);
  const state = parsed.ok && parsed.value.kind === "object" ? memberOf(parsed.value, "state") : undefined;
  if (state?.value.kind !== "object") return undefined;
  const standing = memberOf(state.value, "last_capsule");
  return standing === undefined
    ? appendMember(text, state.value, "last_capsule", pointer)
    : replaceNode(text, standing.value, pointer);
}
