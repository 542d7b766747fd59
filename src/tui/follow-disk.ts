import type { Data } from "./data.ts";
import { startFeed } from "./live.ts";
import type { ConsoleOptions } from "./options.ts";
import type { Store } from "./store.ts";

export interface DiskFollower {
  /** Settles when everything was looked at once: what is asked from then on does not grow old unseen. */
  looked: Promise<void>;
  close: () => void;
}

function worktreesOf(episodes: readonly { worktree?: string | undefined }[] | undefined): Set<string> {
  return new Set(
    (episodes ?? []).flatMap((episode) => (episode.worktree === undefined ? [] : [episode.worktree])),
  );
}

/** Watches the disk of every repository on screen, and asks again for what changed there. */
export function followDisk(
  { roots, watch, clock }: Pick<ConsoleOptions, "roots" | "watch" | "clock">,
  store: Store,
  data: Data,
): DiskFollower {
  const feeds = roots.map((root) =>
    startFeed({
      plan: () => watch(root),
      worktrees: () => worktreesOf(store.getState().repositories[root]?.episodes.data?.episodes),
      onChange: (slices) => data.refresh(root, slices),
      onFeed: (feed) => store.setState({ feed }),
      onVerified: () => store.setState({ verified: clock.now() }),
    }),
  );
  // New episodes bring new files, worktrees and processes to look at.
  const stopRenewing = store.subscribe((state, before) => {
    for (const [index, root] of roots.entries()) {
      const { data: episodes } = state.repositories[root]?.episodes ?? {};
      const known = before.repositories[root]?.episodes.data;
      if (episodes !== known && known !== undefined) feeds[index]?.renew();
    }
  });
  return {
    looked: Promise.all(feeds.map(({ looked }) => looked)).then(() => undefined),
    close: () => {
      stopRenewing();
      for (const feed of feeds) feed.close();
    },
  };
}
