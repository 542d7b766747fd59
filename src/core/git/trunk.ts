import { readHead } from "./head.ts";
import { readReference } from "./reference.ts";
import { electedRemote } from "./remote.ts";
import type { Repository } from "./repository.ts";

export interface Trunk {
  /** The full reference that was taken, `HEAD` as the last resort. */
  reference: string;
  commit: string;
}

/**
 * The line that everybody works towards: the elected remote's default branch as last fetched, else local
 * `main` or `master`, else HEAD. Undefined when there are no commits yet.
 */
export function readTrunk(repository: Repository): Trunk | undefined {
  const head = readHead(repository);
  const elected = electedRemote(repository, head.branch);
  const remote = elected.ok ? elected.value : undefined;
  const references = [
    ...(remote === undefined ? [] : [`refs/remotes/${remote.name}/HEAD`]),
    "refs/heads/main",
    "refs/heads/master",
  ];
  for (const reference of references) {
    const commit = readReference(repository, reference);
    if (commit !== undefined) return { reference, commit };
  }
  return head.commit === undefined ? undefined : { reference: "HEAD", commit: head.commit };
}
