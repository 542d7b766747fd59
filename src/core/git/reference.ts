import { isCommitId } from "../base/id.ts";
import { keepsRefsElsewhere } from "./head.ts";
import { resolveRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { gitText } from "./run.ts";

/**
 * The commit that a full reference (`refs/heads/main`) stands for, read from files where references are
 * files, else by git. Undefined when there is no such reference.
 */
export function readReference(repository: Repository, reference: string): string | undefined {
  // A name from a record must not become an option of git's.
  if (!reference.startsWith("refs/")) return undefined;
  const resolved = keepsRefsElsewhere(repository) ? undefined : resolveRef(repository, reference);
  if (resolved !== undefined) return resolved.id;
  const asked = gitText(repository, ["rev-parse", "-q", "--verify", `${reference}^{commit}`]);
  return asked.ok && isCommitId(asked.value) ? asked.value : undefined;
}
