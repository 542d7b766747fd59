import { basename } from "node:path";
import { reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { makeDirectory, publishExclusive } from "../fs/write.ts";
import type { Moment } from "../git/moment.ts";
import { copyRecord } from "../journal/record-copies.ts";
import type { RecordKind } from "../journal/record-copies.ts";
import { recordName } from "../records/record-name.ts";
import type { Task } from "../records/task.ts";
import { formatWorkRecord } from "../records/work-record.ts";
import type { WorkRecord } from "../records/work-record.ts";

/** Of which place a record is, when it is not this checkout's own: a lost worktree's, written by recovery. */
export interface RecordPlace {
  worktree: string;
  /** The worktree's identity: its copy stands among its other ones. */
  identity: string;
  branch: string;
  head: string;
}

export interface Published {
  /** Relative to the work tree, as the ledger names it. */
  path: string;
  /** What did not work beside the record itself. */
  notes: string[];
}

/**
 * Publishes a handover or checkpoint: identity from git, the body as given, a name nobody has, on disk before
 * it is acknowledged; and a copy in the common directory, so that it survives its worktree.
 *
 * @throws MajordomusError 10 when the body makes the record too large; whatever the disk refuses.
 */
export function publishRecord(
  checkout: Checkout,
  kind: RecordKind,
  record: { body: string; task: Task | undefined; owner?: string; place?: RecordPlace },
  moment: Moment,
): Published {
  const { task, place } = record;
  const tree = place === undefined ? moment.tree() : undefined;
  const facts: WorkRecord = {
    created_at: formatTimestamp(checkout.clock.now()),
    task_id: task?.id ?? "none",
    profile: task === undefined || task.profile === "" ? "none" : task.profile,
    owner: record.owner ?? (task === undefined || task.owner === "" ? checkout.owner : task.owner),
    repository_id: checkout.localRepositoryId,
    worktree: place?.worktree ?? checkout.root,
    branch: place?.branch ?? checkout.branch,
    head: place?.head ?? headText(checkout),
    ...(tree?.ok === true ? { working_tree: tree.value.state } : {}),
    changed_files: tree?.ok === true ? tree.value.changed : [],
    body: record.body,
  };
  const text = formatWorkRecord(facts);
  const directory = checkout.layout[kind];
  makeDirectory(directory);
  const nameFor = (): string =>
    recordName({
      at: checkout.clock.now(),
      branch: facts.branch,
      head: facts.head === "NONE" ? undefined : facts.head,
      random: checkout.random,
    });
  const path = publishExclusive(directory, nameFor, text, { mode: 0o600, durable: true });
  const notes: string[] = [];
  try {
    const { common, worktreeIdentity } = checkout;
    const owner = { common, worktreeIdentity: place?.identity ?? worktreeIdentity };
    copyRecord(owner, kind, basename(path), text);
  } catch (error) {
    notes.push(`no copy was kept in the common directory: ${reasonOf(error)}`);
  }
  return { path: shownPath(checkout.root, path), notes };
}
