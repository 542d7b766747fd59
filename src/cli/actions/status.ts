import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { continuityState, lifecycleEpisodes, lifecycleProviders } from "../../core/capabilities/lifecycle.ts";
import type { ProvidersAnswer, RecordView, StateAnswer } from "../../core/lifecycle/answers.ts";
import type { Finding } from "../../core/labels/terms.ts";
import { waitingSentence } from "../../core/records/continuity-cache.ts";
import { clip } from "../../core/text/inert.ts";
import { ask, askIn, openHere } from "../ask.ts";
import type { HooksReport } from "../../core/capabilities/hooks.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";
import { CLAUDE_CODE, readHooks } from "./hooks.ts";

function recordText(record: RecordView | undefined, unknown: string | undefined): string {
  if (record === undefined) return unknown === undefined ? "none" : `unknown: ${unknown}`;
  return `${record.path} (${record.divergence}, ${record.freshness})`;
}

/** What cannot be read is no evidence that there is none. */
function blockerCount({ blockers = [], blockers_unknown: unknown }: StateAnswer): string {
  if (unknown === undefined) return String(blockers.length);
  return blockers.length === 0 ? `unknown: ${unknown}` : `at least ${blockers.length}: ${unknown}`;
}

function showState(output: Output, root: string, state: StateAnswer): void {
  const head = state.head?.slice(0, 7) ?? "no commit yet";
  output.line(`Repository: ${root}`);
  output.line(`Branch:     ${state.branch} at ${head}, ${state.working_tree ?? "unknown"}`);
  output.line(
    state.session === undefined
      ? `Session:    ${state.session_unknown === undefined ? "none open in this worktree" : `unknown: ${state.session_unknown}`}`
      : `Session:    ${state.session.session_id} (${state.session.standing}, ${state.session.divergence})`,
  );
  output.line(
    state.task === undefined
      ? `Task:       ${state.task_unknown === undefined ? "none" : `unknown: ${state.task_unknown}`}`
      : `Task:       ${state.task.id} ${state.task.title} (${state.task.outcome})`,
  );
  output.line(`Handover:   ${recordText(state.handover, state.handover_unknown)}`);
  output.line(`Checkpoint: ${recordText(state.checkpoint, state.checkpoint_unknown)}`);
  const blockers = state.blockers ?? [];
  output.line(`Blockers:   ${blockerCount(state)}`);
  for (const blocker of blockers) output.line(`  ${blocker}`);
  const waiting = waitingSentence(state.waiting ?? [], state.branch);
  if (waiting !== undefined) output.line(`Waiting:    ${waiting}`);
}

/** The newest thing that a provider's hooks reported here; undefined when none ever did. */
function newestReceipt({
  providers,
}: ProvidersAnswer): { id: string; event: string; at: string } | undefined {
  return providers
    .flatMap(({ id, last_received: last = {} }) =>
      Object.entries(last).map(([event, at]) => ({ id, event, at })),
    )
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
}

/** Whether a provider that we have no installer for was ever heard of here: somebody wired it by hand. */
function othersReport({ providers }: ProvidersAnswer): boolean {
  return providers.some(
    ({ id, last_received: last = {} }) =>
      id !== CLAUDE_CODE && id !== "generic" && Object.keys(last).length > 0,
  );
}

function showHooks(output: Output, providers: ProvidersAnswer, { installed }: HooksReport): void {
  const newest = newestReceipt(providers);
  const last = newest === undefined ? "no event yet" : `last ${newest.id} ${newest.event} at ${newest.at}`;
  output.line(`Hooks:      ${installed ? "installed" : "not installed here"}, ${last}`);
}

/** What several of the answers could not read is told once. */
function isFirstOfItsKind(): (finding: Finding) => boolean {
  const told = new Set<string>();
  return ({ subject, message }) => {
    const before = told.size;
    return told.add(`${subject}\0${message}`).size > before;
  };
}

/**
 * Shows this checkout at a glance.
 *
 * @returns 10 when no hook reports here: installed nowhere, or installed and silent.
 */
export async function showStatus(context: CommandContext): Promise<ExitStatus> {
  const { output } = context;
  const checkout = await openHere(context, "read");
  const state = await askIn(checkout, continuityState, {});
  const episodes = await askIn(checkout, lifecycleEpisodes, {});
  const providers = await askIn(checkout, lifecycleProviders, {});
  const hooks = await readHooks(context, checkout);
  const byHand = !hooks.installed && othersReport(providers);
  const reports = byHand || (hooks.installed && !hooks.silent);
  // Hooks that somebody wired by hand for another tool are not hooks that are missing.
  const findings = [state.findings, episodes.findings, providers.findings, byHand ? [] : hooks.findings]
    .flatMap((some) => some ?? [])
    .filter(({ level }) => level !== "OK" && level !== "INFO")
    .filter(isFirstOfItsKind());
  // What the last lines say and what the exit status says must be one answer.
  const failed = findings.some(({ level }) => level === "FAIL");
  const status = reports && !failed ? EXIT.ok : EXIT.finding;
  if (context.json) {
    output.json({ schema: 1, state, episodes, providers, hooks });
    return status;
  }
  const open = episodes.episodes ?? [];
  const recoverable = open.filter((episode) => episode.recoverable !== undefined);
  showState(output, checkout.root, state);
  const counted = `${open.length} open, ${recoverable.length} to recover`;
  output.line(`Episodes:   ${state.session_unknown === undefined ? counted : "unknown"}`);
  for (const { session_id: id, note } of recoverable) output.line(`  ${id} — ${note}`);
  showHooks(output, providers, hooks);
  output.findings(findings);
  return status;
}

/** A prompt has one line for everything: of a longer title its beginning is told. */
const SHORT_TITLE = 60;

/** One line for a shell prompt: episode, task, blockers, waiting handover. */
export async function showShortStatus(context: CommandContext): Promise<ExitStatus> {
  const state = await ask(context, continuityState, {});
  if (context.json) {
    context.output.json(state);
    return EXIT.ok;
  }
  const blockers = state.blockers?.length ?? 0;
  const { task_unknown: taskUnknown, blockers_unknown: blockersUnknown } = state;
  const waiting = state.waiting?.length ?? 0;
  const parts = [
    state.session?.session_id ?? (state.session_unknown === undefined ? "no session" : "session unknown"),
    state.task === undefined
      ? taskUnknown === undefined
        ? "no task"
        : "task unknown"
      : `${state.task.id} ${clip(state.task.title, SHORT_TITLE)}`,
    ...(blockers === 0 ? [] : [`${blockers} blocker(s)`]),
    ...(blockersUnknown === undefined ? [] : ["blockers unknown"]),
    ...(state.handover === undefined ? [] : [`handover ${state.handover.freshness}`]),
    ...(state.handover_unknown === undefined ? [] : ["handover unknown"]),
    ...(waiting === 0 ? [] : [`${waiting} handover(s) of other machines wait`]),
  ];
  context.output.line(parts.join(" · "));
  return EXIT.ok;
}
