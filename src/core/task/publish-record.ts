import { basename, join } from "node:path";
import { reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { makeDirectory, publishExclusive, removeFile } from "../fs/write.ts";
import type { Moment } from "../git/moment.ts";
import { copiesDirectory, copyRecord } from "../journal/record-copies.ts";
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
  /** Takes it back with its copy: for when its ledger line cannot be written. */
  withdraw: () => void;
}

/**
 * Does what must stand beside a record that was just published: when it fails, the record goes too, so that
 * whoever is told so and tries again publishes one and not two (promise 41).
 */
export function besideRecord<Value>(published: Published | undefined, action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    published?.withdraw();
    throw error;
  }
}

function removeIfPossible(path: string): void {
  try {
    removeFile(path);
  } catch {
    // What failed first is what is told.
  }
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
  const { common, worktreeIdentity } = checkout;
  const identity = place?.identity ?? worktreeIdentity;
  try {
    copyRecord({ common, worktreeIdentity: identity }, kind, basename(path), text);
  } catch (error) {
    notes.push(`no copy was kept in the common directory: ${reasonOf(error)}`);
  }
  const withdraw = (): void => {
    removeIfPossible(path);
    removeIfPossible(join(copiesDirectory(checkout, identity, kind), basename(path)));
  };
  return { path: shownPath(checkout.root, path), notes, withdraw };
}
