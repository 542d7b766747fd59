import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { continuityState, lifecycleEpisodes, lifecycleProviders } from "../../core/capabilities/lifecycle.ts";
import type { ProvidersAnswer, RecordView, StateAnswer } from "../../core/lifecycle/answers.ts";
import { ask, askIn, openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";

function recordText(record: RecordView | undefined): string {
  if (record === undefined) return "none";
  return `${record.path} (${record.divergence}, ${record.freshness})`;
}

function showState(output: Output, root: string, state: StateAnswer): void {
  const head = state.head?.slice(0, 7) ?? "no commit yet";
  output.line(`Repository: ${root}`);
  output.line(`Branch:     ${state.branch} at ${head}, ${state.working_tree ?? "unknown"}`);
  output.line(
    state.session === undefined
      ? "Session:    none open in this worktree"
      : `Session:    ${state.session.session_id} (${state.session.standing}, ${state.session.divergence})`,
  );
  output.line(
    state.task === undefined
      ? "Task:       none"
      : `Task:       ${state.task.id} ${state.task.title} (${state.task.outcome})`,
  );
  output.line(`Handover:   ${recordText(state.handover)}`);
  output.line(`Checkpoint: ${recordText(state.checkpoint)}`);
  const blockers = state.blockers ?? [];
  output.line(`Blockers:   ${blockers.length}`);
  for (const blocker of blockers) output.line(`  ${blocker}`);
}

function showHooks(output: Output, { providers }: ProvidersAnswer): void {
  for (const { id, wired = [], last_received: last = {}, note } of providers) {
    const newest = Object.entries(last).toSorted(([, a], [, b]) => (a < b ? 1 : -1))[0];
    if (wired.length === 0 && newest === undefined) continue;
    output.line(
      `Hooks:      ${id} — ${newest === undefined ? note : `last event ${newest[0]} at ${newest[1]}`}`,
    );
  }
}

/**
 * Shows this checkout at a glance.
 *
 * @returns 10 when hooks are installed nowhere or have gone silent, as `lifecycle.providers` finds it.
 */
export async function showStatus(context: CommandContext): Promise<ExitStatus> {
  const { output } = context;
  const checkout = await openHere(context);
  const state = await askIn(checkout, continuityState, {});
  const episodes = await askIn(checkout, lifecycleEpisodes, {});
  const providers = await askIn(checkout, lifecycleProviders, {});
  const silent = (providers.findings ?? []).some(({ level }) => level !== "OK" && level !== "INFO");
  const status = silent ? EXIT.finding : EXIT.ok;
  if (context.json) {
    output.json({ schema: 1, state, episodes, providers });
    return status;
  }
  const open = episodes.episodes ?? [];
  const stranded = open.filter(({ recoverable }) => recoverable !== undefined);
  showState(output, checkout.root, state);
  output.line(`Episodes:   ${open.length} open, ${stranded.length} to recover`);
  for (const { session_id: id, note } of stranded) output.line(`  ${id} — ${note}`);
  showHooks(output, providers);
  output.findings([...(state.findings ?? []), ...(episodes.findings ?? []), ...(providers.findings ?? [])]);
  return status;
}

/** One line for a shell prompt: episode, task, blockers, waiting handover. */
export async function showShortStatus(context: CommandContext): Promise<ExitStatus> {
  const state = await ask(context, continuityState, {});
  if (context.json) {
    context.output.json(state);
    return EXIT.ok;
  }
  const blockers = state.blockers?.length ?? 0;
  const parts = [
    state.session?.session_id ?? "no session",
    state.task === undefined ? "no task" : `${state.task.id} ${state.task.title}`,
    ...(blockers === 0 ? [] : [`${blockers} blocker(s)`]),
    ...(state.handover === undefined ? [] : [`handover ${state.handover.freshness}`]),
  ];
  context.output.line(parts.join(" · "));
  return EXIT.ok;
}
