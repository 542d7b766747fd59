import { join } from "node:path";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { readRoster } from "../../core/journal/roster.ts";
import type { WatchPlan } from "../../tui/main.ts";

/**
 * What the console looks at in one repository: a bounded set of places, each a source of some answer. The
 * worktrees of siblings are known from their open files' directories; processes are the workers that an
 * episode names.
 */
export function watchPlanOf(checkout: Checkout): WatchPlan {
  const { repository, layout, common, settings } = checkout;
  const { entries } = readRoster(checkout);
  const processes = entries.flatMap(({ registration }) => registration?.registration.process?.pid ?? []);
  return {
    directories: [
      layout.state,
      layout.sessionsOpen,
      layout.sessions,
      layout.contexts,
      layout.checkpoints,
      layout.handovers,
      common.events,
      common.episodes,
      common.ended,
      join(repository.commonDir, "worktrees"),
    ],
    files: [
      join(repository.gitDir, "HEAD"),
      join(repository.gitDir, "index"),
      join(repository.commonDir, "packed-refs"),
      ...(checkout.branch === "DETACHED"
        ? []
        : [join(repository.commonDir, "refs", "heads", ...checkout.branch.split("/"))]),
      join(layout.ai, "manifest.yaml"),
      join(layout.ai, settings.manifest.sections.policy),
    ],
    processes: [...new Set(processes)],
    pollSeconds: settings.switches.live.poll_seconds,
  };
}
