import { dirname, join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { eventJournalPath } from "../journal/event-journal.ts";
import { listRegistrations } from "../journal/registration.ts";
import { readWorktreeMap } from "../journal/whereabouts.ts";
import { shelfDirectory, SHELVES } from "../records/knowledge-store.ts";
import { layoutOf } from "../checkout/layout.ts";

/** What must be looked at so that nothing of a repository changes unseen; a bounded set, whatever its size. */
export interface Watched {
  /** Looked at one level deep. */
  directories: string[];
  files: string[];
  /** Workers whose end no file shows. */
  processes: number[];
}

/** The places whose change may change an answer: stores, our own state, git's heads, and where worktrees stand. */
export function readWatched(checkout: Checkout): Watched {
  const { layout, common, repository } = checkout;
  const { worktrees } = readWorktreeMap(checkout);
  const stores = worktrees
    .filter((worktree) => worktree.exists)
    .map((worktree) => layoutOf(worktree.path, checkout.settings.manifest));
  const registered = listRegistrations(common).entries.map(({ registration }) => registration);
  const paths = new Set([
    ...worktrees.map(({ path }) => path),
    ...registered.map(({ worktree }) => worktree),
  ]);
  return {
    directories: [
      layout.state,
      layout.sessionsOpen,
      layout.sessions,
      layout.contexts,
      layout.checkpoints,
      layout.handovers,
      ...SHELVES.map((shelf) => shelfDirectory(checkout, shelf)),
      common.root,
      common.episodes,
      common.events,
      repository.gitDir,
      repository.commonDir,
      join(repository.commonDir, "worktrees"),
      join(repository.commonDir, "refs", "heads", dirname(checkout.branch)),
    ],
    files: [
      layout.ledger,
      layout.pointer,
      layout.questions,
      layout.decisions,
      layout.task,
      eventJournalPath(checkout),
      join(repository.gitDir, "HEAD"),
      join(repository.gitDir, "index"),
      join(repository.gitDir, "logs", "HEAD"),
      join(repository.commonDir, "packed-refs"),
      ...stores.flatMap((store) => [store.ledger, store.sessionsOpen]),
      ...paths,
    ],
    processes: registered.map(({ process }) => process?.pid).filter((pid) => pid !== undefined),
  };
}
