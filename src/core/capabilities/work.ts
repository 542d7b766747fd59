import { instantOf } from "../boundary/instant.ts";
import { authorHere, workFactsHere } from "../boundary/work-by-hand.ts";
import { loadProfile } from "../policy/load.ts";
import {
  CheckpointShowAnswer,
  CheckpointWriteInput,
  HandoverResolveAnswer,
  HandoverWriteInput,
  RecordListAnswer,
  RecordListInput,
  ResolveInput,
  TaskStartAnswer,
  TaskStartInput,
  WrittenAnswer,
} from "../task/answers.ts";
import { badArgument } from "../task/author.ts";
import { checkpointBody, writeCheckpoint, writeDerivedCheckpoint } from "../task/checkpoint.ts";
import type { WrittenRecord } from "../task/checkpoint.ts";
import { deriveCheckpoint } from "../task/derive-checkpoint.ts";
import { derivedHandover, handoverBody, writeDerivedHandover, writeHandover } from "../task/handover.ts";
import { listRecords, recordDetail, resolveCheckpoint, resolveHandover } from "../task/resolve.ts";
import { startTask } from "../task/start-task.ts";
import type { WorkFacts } from "../task/work-facts.ts";
import { recordView } from "../ledger/record-view.ts";
import { defineCapability } from "./capability.ts";

function writtenAnswer(written: WrittenRecord): WrittenAnswer {
  const { path, task_id, moved, notes } = written;
  return {
    schema: 1,
    ...(path === undefined ? {} : { path }),
    ...(task_id === undefined ? {} : { task_id }),
    moved,
    notes,
  };
}

/** Of a body and a wish to derive one, one would be passed over. */
function refuseBoth(body: string | undefined, derive: boolean | undefined): void {
  if (derive !== true || (body ?? "").trim() === "") return;
  throw badArgument("derive", "makes the body, and one was given too", "leave one of them out");
}

/** Outside any task there is none to close: a task that stays active would look handed over to whoever asked. */
function refuseToCloseNone(close: boolean | undefined, noTask: boolean | undefined): void {
  if (close !== true || noTask !== true) return;
  throw badArgument("close", "closes the task, and no_task leaves it out", "leave one of them out");
}

function previewAnswer(text: string): WrittenAnswer {
  return { schema: 1, moved: false, notes: [], text };
}

export const taskStart = defineCapability({
  id: "task.start",
  title: "Begin the one task of this checkout",
  effect: "write",
  weight: "light",
  input: TaskStartInput,
  output: TaskStartAnswer,
  run: async ({ checkout }, input) => {
    const { manifest, policy } = checkout.settings;
    const profile = input.profile ?? policy.profiles.default;
    await loadProfile(checkout.layout.ai, manifest, profile, checkout.common.cache);
    const { moment } = instantOf(checkout);
    const before = [resolveHandover(checkout, moment), resolveCheckpoint(checkout, moment)] as const;
    const [handover, checkpoint] = before.map(({ record }) => record && recordView(record));
    const { task, archived, overlaps, notes } = startTask(
      checkout,
      { task: input.task, scope: input.scope, profile, owner: input.owner },
      authorHere(checkout),
      moment,
    );
    const { id, owner, scope, started_at, branch, head, working_tree } = task;
    return {
      schema: 1 as const,
      task: { id, task: task.task, profile, owner, scope, started_at, branch, head, working_tree },
      ...(archived === undefined ? {} : { archived }),
      overlaps,
      handover: handover ?? null,
      checkpoint: checkpoint ?? null,
      notes,
    };
  },
});

export const checkpointWrite = defineCapability({
  id: "checkpoint.write",
  title: "Note the progress of the work, as given or derived from git and the ledger",
  effect: "write",
  weight: "light",
  input: CheckpointWriteInput,
  output: WrittenAnswer,
  run: ({ checkout }, { body, derive, dry_run }) => {
    refuseBoth(body, derive);
    const instant = instantOf(checkout);
    if (dry_run === true) {
      if (derive !== true) return previewAnswer(checkpointBody(checkout, body ?? ""));
      return previewAnswer(deriveCheckpoint(workFactsHere(checkout, instant)));
    }
    const author = authorHere(checkout);
    const written =
      derive === true
        ? writeDerivedCheckpoint(checkout, workFactsHere(checkout, instant), author, instant.moment)
        : writeCheckpoint(checkout, body ?? "", author, instant.moment);
    return writtenAnswer(written);
  },
});

export const checkpointShow = defineCapability({
  id: "checkpoint.show",
  title: "The newest checkpoint that is about this worktree's branch, with both labels",
  effect: "read",
  weight: "light",
  input: ResolveInput,
  output: CheckpointShowAnswer,
  run: ({ checkout }, { task }) => {
    const { moment } = instantOf(checkout);
    const { record, skipped } = resolveCheckpoint(checkout, moment, task);
    return { schema: 1 as const, checkpoint: recordDetail(checkout, record, moment), skipped };
  },
});

export const checkpointList = defineCapability({
  id: "checkpoint.list",
  title: "The checkpoints of this branch, newest first, each with its labels",
  effect: "read",
  weight: "heavy",
  input: RecordListInput,
  output: RecordListAnswer,
  run: ({ checkout }, input) => listRecords(checkout, "checkpoints", instantOf(checkout).moment, input),
});

export const handoverWrite = defineCapability({
  id: "handover.write",
  title: "Hand the work over to whoever continues, as given or derived from git and the ledger",
  effect: "write",
  weight: "light",
  input: HandoverWriteInput,
  output: WrittenAnswer,
  run: ({ checkout }, { body, derive, close, no_task, dry_run }) => {
    refuseBoth(body, derive);
    refuseToCloseNone(close, no_task);
    const instant = instantOf(checkout);
    const options = { close: close === true, noTask: no_task === true };
    const factsHere = (): WorkFacts => workFactsHere(checkout, instant, options.noTask);
    if (dry_run === true) {
      if (derive !== true) return previewAnswer(handoverBody(checkout, body ?? "", options));
      return previewAnswer(derivedHandover(checkout, factsHere(), options).body);
    }
    const author = authorHere(checkout);
    const written =
      derive === true
        ? writeDerivedHandover(checkout, factsHere(), options, author, instant.moment)
        : writeHandover(checkout, body ?? "", options, author, instant.moment);
    return { ...writtenAnswer(written), closed: written.closed };
  },
});

export const handoverResolve = defineCapability({
  id: "handover.resolve",
  title: "The handover that this worktree goes on from, with both labels",
  effect: "read",
  weight: "light",
  input: ResolveInput,
  output: HandoverResolveAnswer,
  run: ({ checkout }, { task }) => {
    const { moment } = instantOf(checkout);
    const { record, skipped } = resolveHandover(checkout, moment, task);
    return { schema: 1 as const, handover: recordDetail(checkout, record, moment), skipped };
  },
});

export const handoverList = defineCapability({
  id: "handover.list",
  title: "The handovers of this branch, newest first, each with its labels",
  effect: "read",
  weight: "heavy",
  input: RecordListInput,
  output: RecordListAnswer,
  run: ({ checkout }, input) => listRecords(checkout, "handovers", instantOf(checkout).moment, input),
});

/** What is done and asked about tasks, checkpoints and handovers, for the registry. */
export const WORK_RECORDS = [
  taskStart,
  checkpointWrite,
  checkpointShow,
  checkpointList,
  handoverWrite,
  handoverResolve,
  handoverList,
] as const;
