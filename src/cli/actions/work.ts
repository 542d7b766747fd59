import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { ageText } from "../../core/base/time.ts";
import {
  checkpointList,
  checkpointShow,
  checkpointWrite,
  handoverList,
  handoverResolve,
  handoverWrite,
  taskStart,
} from "../../core/capabilities/work.ts";
import type { RecordView } from "../../core/ledger/record-view.ts";
import type {
  RecordDetail,
  RecordListAnswer,
  TaskStartAnswer,
  WrittenAnswer,
} from "../../core/task/answers.ts";
import { ask, askIn, openHere } from "../ask.ts";
import { withAuthoredBody } from "../authored-body.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";
import { refuseBody } from "../stdin.ts";

function viewText(view: RecordView): string {
  return `${view.path} (${view.match}, ${view.divergence}, ${view.freshness}, ${ageText(view.age_minutes)})`;
}

function showStart(output: Output, answer: TaskStartAnswer): void {
  const { task, archived, overlaps, handover, checkpoint } = answer;
  output.line(`task ${task.id} started on ${task.branch} at ${task.head.slice(0, 7)} (${task.profile})`);
  output.line(`scope: ${task.scope.join(", ")}`);
  if (archived !== undefined) output.line(`archived: ${archived}`);
  if (handover !== null) output.line(`prior handover: ${viewText(handover)}`);
  if (checkpoint !== null) output.line(`prior checkpoint: ${viewText(checkpoint)}`);
  output.findings(
    overlaps.map(({ path, relation, other, task_id: id, task: text, worktree }) => ({
      level: "WARN" as const,
      category: "overlap",
      subject: path,
      message: `${relation} ${other} of ${id} (${text}) in ${worktree}`,
    })),
  );
  output.line("next: `majordomus context`");
}

/** Begins the task of this checkout. */
export async function runStart(
  context: CommandContext,
  input: { task: string; scope: string[]; profile: string | undefined; owner: string | undefined },
): Promise<ExitStatus> {
  const answer = await ask(context, taskStart, input);
  for (const note of answer.notes) context.output.warn(note);
  if (context.json) context.output.json(answer);
  else showStart(context.output, answer);
  return EXIT.ok;
}

function showWritten({ output, json }: CommandContext, answer: WrittenAnswer): void {
  for (const note of answer.notes) output.warn(note);
  if (json) output.json(answer);
  else if (answer.path !== undefined) output.line(answer.path);
  else output.line(answer.moved ? "no body: the checkpoint time moved" : "no body, and no active task");
}

const UNTRUSTED: Partial<Record<RecordDetail["divergence"], string>> = {
  diverged: "WARNING: history was rewritten since; trust git, not the record",
  different_context: "WARNING: it was written on another branch; it is not about this work",
};

/** What git proves about a commit that is not in this history: it stands beside the label. */
function hintTexts({ rebased_to: rebased, merged_as: merged }: RecordDetail): string[] {
  return [
    ...(rebased === undefined ? [] : [`rebased_to ${rebased}`]),
    ...(merged === undefined ? [] : [`merged_as ${merged}`]),
  ];
}

function showDetail(output: Output, label: string, record: RecordDetail): void {
  const rows: [string, string][] = [
    [label, record.path],
    ["Match", record.match],
    ["Git state", `${record.divergence} — ${record.divergence_reason ?? ""}`],
    ...hintTexts(record).map((hint): [string, string] => ["", hint]),
    ["Freshness", `${record.freshness} — ${record.freshness_reason}`],
    ["Created", `${record.created_at} (${ageText(record.age_minutes)})`],
    ["Task", record.task_id ?? "none"],
    ...(record.tree_note === undefined ? [] : [["Divergence", record.tree_note] as [string, string]]),
  ];
  for (const [name, value] of rows) output.line(`${(name === "" ? "" : `${name}:`).padEnd(12)}${value}`);
  const warning = UNTRUSTED[record.divergence];
  if (warning !== undefined) output.line(warning);
  if (record.next_action_withheld !== undefined) {
    output.line(`HISTORICAL: its next action is not the thing to do; ${record.next_action_withheld}`);
  }
  output.line("---");
  output.block(record.body.trimEnd());
}

function showRecord(
  { output, json }: CommandContext,
  answer: { skipped: readonly { path: string; reason: string }[] },
  record: RecordDetail | null,
  { label, path }: { label: string; path: boolean },
): ExitStatus {
  output.skipped(answer.skipped);
  if (json) output.json(answer);
  else if (path && record !== null) output.line(record.path);
  else if (!path && record === null) output.line(`No relevant ${label.toLowerCase()}.`);
  else if (record !== null) showDetail(output, label, record);
  return path && record === null ? EXIT.missing : EXIT.ok;
}

function showList(
  { output, json }: CommandContext,
  answer: RecordListAnswer,
  kind: "checkpoint" | "handover",
): ExitStatus {
  output.skipped(answer.skipped);
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  if (answer.records.length === 0) output.line(`No ${kind}${answer.elsewhere > 0 ? " here" : ""}.`);
  for (const record of answer.records) {
    const { created_at: at, task_id: task, match, divergence, freshness, path } = record;
    const labels = `${divergence.padEnd(18)} ${freshness.padEnd(8)}`;
    output.line(`${at}  ${task.padEnd(21)} ${(match ?? "-").padEnd(26)} ${labels} ${path}`);
  }
  if (answer.elsewhere > 0) output.warn(`${answer.elsewhere} more elsewhere; --all lists them`);
  return EXIT.ok;
}

interface CheckpointOptions {
  derive: boolean;
  show: boolean;
  list: boolean;
  path: boolean;
  all: boolean;
  task: string | undefined;
}

/** Writes, shows or lists checkpoints. */
export async function runCheckpoint(
  context: CommandContext,
  options: CheckpointOptions,
): Promise<ExitStatus> {
  const { derive, show, list, path, all, task } = options;
  if (list) return showList(context, await ask(context, checkpointList, { task, all }), "checkpoint");
  if (show || path) {
    const answer = await ask(context, checkpointShow, { task });
    return showRecord(context, answer, answer.checkpoint, { label: "Checkpoint", path });
  }
  if (derive) await refuseBody(context.stdin(), "--derive");
  const checkout = await openHere(context);
  const write = (body: string | undefined) => askIn(checkout, checkpointWrite, { body, derive });
  const request = { name: "checkpoint", template: "", command: "majordomus checkpoint", derivable: true };
  showWritten(context, derive ? await write(undefined) : await withAuthoredBody(context, request, write));
  return EXIT.ok;
}

interface HandoverOptions extends Omit<CheckpointOptions, "show"> {
  close: boolean;
  "no-task": boolean;
  resolve: boolean;
}

/** Writes, resolves or lists handovers. */
export async function runHandover(context: CommandContext, options: HandoverOptions): Promise<ExitStatus> {
  const { derive, resolve, list, path, all, task, close } = options;
  if (list) return showList(context, await ask(context, handoverList, { task, all }), "handover");
  if (resolve || path) {
    const answer = await ask(context, handoverResolve, { task });
    return showRecord(context, answer, answer.handover, { label: "Handover", path });
  }
  const noTask = options["no-task"];
  if (derive) await refuseBody(context.stdin(), "--derive");
  const checkout = await openHere(context);
  const sections = checkout.settings.policy.handover.required_sections;
  const template = sections.map((name) => `# ${name}\n\n<${name.toLowerCase()}>\n`).join("\n");
  const command = `majordomus handover${close ? " --close" : ""}${noTask ? " --no-task" : ""}`;
  const write = (body: string | undefined) =>
    askIn(checkout, handoverWrite, { body, derive, close, no_task: noTask });
  const request = { name: "handover", template, command, derivable: true };
  showWritten(context, derive ? await write(undefined) : await withAuthoredBody(context, request, write));
  return EXIT.ok;
}
