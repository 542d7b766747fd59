import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Clock } from "../base/clock.ts";
import { sha256Hex } from "../base/id.ts";
import type { Patience } from "../base/patience.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { createExclusive } from "../fs/write.ts";

import { canNameFile } from "./author.ts";
import { jsonScalar } from "./autosave/skeleton.ts";
import type { CapsuleDocument } from "./document.ts";
import { capsuleText, FRAMING } from "./framing.ts";
import { openFinder, readNamed } from "./find.ts";
import type { CapsuleFinder, NamedCapsule } from "./find.ts";
import { capsuleLock, ensureRuntime } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { flatten, quoteValue } from "./quote.ts";
import { refused } from "./refused.ts";
import { rewriteCapsule, setField } from "./rewrite.ts";
import type { Replacement } from "./rewrite.ts";

/** A chain shorter than this is left alone. */
const LONG = 5;
/** So many of its oldest links are put together. */
const TOGETHER = 3;

export interface Compaction {
  state: "compacted" | "nothing";
  /** Ids from the head on, newest first, as the chain stands afterwards. */
  chain: string[];
  /** The summary's id. */
  summary?: string;
  /** Ids of the capsules that it stands for. */
  compacted: string[];
}

interface Means {
  clock: Clock;
  patience: Patience;
}

/**
 * The chain from a capsule along `parent_capsule_id`, newest first; it ends where a parent is missing or met again.
 *
 * @throws MajordomusError 10 where a parent's id is that of several capsules.
 */
function walkChain(finder: CapsuleFinder, wanted: string): NamedCapsule[] {
  const chain = [finder.find(wanted)];
  const seen = new Set(chain.map(({ name }) => name));
  for (;;) {
    const parent = finder.withId(chain.at(-1)?.document.text("parent_capsule_id").trim() ?? "");
    if (parent === undefined || seen.has(parent.name)) return chain;
    seen.add(parent.name);
    chain.push(parent);
  }
}

const idOf = ({ document }: NamedCapsule): string => document.text("id").trim();

/** The text of a summary: it quotes the objectives that it stands for and invents none. */
function summaryText(id: string, oldest: readonly NamedCapsule[], parent: string, at: string): string {
  const objectives = oldest.map(({ document }) => quoteValue(flatten(document.value("objective")), 300));
  const head: readonly (readonly [key: string, value: string])[] = [
    ["id", jsonScalar(id)],
    ["parent_capsule_id", parent === "" ? "null" : jsonScalar(parent)],
    ["status", "resolved"],
    ["objective", jsonScalar(`Summary of ${oldest.length} earlier capsules: ${objectives.join("; ")}`)],
    ["waiting_on", jsonScalar("Unknown: a summary awaits nothing of its own")],
    ["resume_trigger", "null"],
    ["expires", "null"],
    ["trigger", "compaction"],
    ["next_valid_action", jsonScalar("No concrete next action was captured")],
    ["success_criteria", "[]"],
    ["tags", "[capsule, chain-summary]"],
    ["created_at", at],
    ["resolved_at", at],
    ...FRAMING,
  ];
  const done = oldest.map(
    (capsule, index) => `- ${quoteValue(idOf(capsule), 120)}: ${objectives[index] ?? '""'}`,
  );
  return capsuleText(head, { done });
}

const SUMMARY = "chain-summary-";

/** A summary's id: that of the head, where it can name a file, and the day. */
function summaryId(head: string, at: string): string {
  const named = canNameFile(head) ? head : `capsule-${sha256Hex(head).slice(0, 12)}`;
  return `${SUMMARY}${named}-${at.slice(0, 10)}`;
}

/** Whether a summary's text stands for these capsules. */
function standsFor({ document }: NamedCapsule, oldest: readonly NamedCapsule[]): boolean {
  const body = document.body();
  return oldest.every((capsule) => body.includes(`- ${quoteValue(idOf(capsule), 120)}: `));
}

/** The id of a summary that a run which was cut off left for these capsules, on whatever day. */
function findSummary(
  tree: MemoryTree,
  names: ReadonlySet<string>,
  oldest: readonly NamedCapsule[],
): string | undefined {
  for (const name of names) {
    if (!name.startsWith(SUMMARY) || oldest.some((capsule) => capsule.name === name)) continue;
    const summary = attempt(() => readNamed(tree, name));
    if (summary !== undefined && `${idOf(summary)}.md` === name && standsFor(summary, oldest))
      return idOf(summary);
  }
  return undefined;
}

function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** What a compaction sets in a capsule, by how that capsule is then. */
type Change = (document: CapsuleDocument) => readonly Replacement[];

const linkedTo =
  (summary: string): Change =>
  () => [{ key: "parent_capsule_id", token: jsonScalar(summary) }];

/** One that a clear could still have resumed is history from now on: the summary stands for it. */
const compactedInto =
  (summary: string): Change =>
  (document) => [
    { key: "compacted_into", token: jsonScalar(summary) },
    ...(document.text("status") === "active" ? [{ key: "status", token: "superseded" }] : []),
  ];

/** @throws MajordomusError 10 where the change cannot be made. */
function changed({ name, bytes, document }: NamedCapsule, change: Change): Buffer {
  let current = bytes;
  for (const replacement of change(document)) {
    const set = setField(current, replacement);
    if (!set.ok) throw refused(name, set.error);
    current = set.value;
  }
  return current;
}

/** Changes one capsule under its lock, all of it at once, and only while it is what was read there. */
function apply(tree: MemoryTree, name: string, change: Change, { patience }: Means): void {
  withPatientLock(capsuleLock(tree, name), patience, (lock) => {
    const capsule = readNamed(tree, name);
    const after = changed(capsule, change);
    if (after.equals(capsule.bytes)) return;
    const written = rewriteCapsule(capsule.path, capsule.bytes, after, lock);
    if (!written.ok) throw refused(name, written.error, "run it again: what was done already stays done");
  });
}

/**
 * Puts the three oldest links of a long chain into one summary, marks what it stands for, so that no clear resumes it
 * any more, and links the chain to it; nothing is deleted. What could not be changed is found before anything is.
 * The chain is linked last: until then it is as long as it was, so that a second run finds it and goes on where one
 * was cut off.
 *
 * @throws MajordomusError 12 and 10 as `walkChain`; 10 for one that cannot be changed; LockTimeout; the errno error.
 */
export function compactChain(tree: MemoryTree, wanted: string, means: Means): Compaction {
  const finder = openFinder(tree);
  const chain = walkChain(finder, wanted);
  const ids = chain.map(idOf);
  const oldest = chain.slice(-TOGETHER);
  const last = chain.at(-TOGETHER - 1);
  if (chain.length < LONG || last === undefined) return { state: "nothing", chain: ids, compacted: [] };
  const at = new Date(means.clock.now()).toISOString();
  const found = findSummary(tree, finder.names, oldest);
  const id = found ?? summaryId(ids[0] ?? "", at);
  changed(last, linkedTo(id));
  for (const capsule of oldest) changed(capsule, compactedInto(id));
  ensureRuntime(tree);
  if (found === undefined) writeSummary(tree, id, oldest, at);
  for (const { name } of oldest) apply(tree, name, compactedInto(id), means);
  apply(tree, last.name, linkedTo(id), means);
  return {
    state: "compacted",
    chain: [...ids.slice(0, -TOGETHER), id],
    summary: id,
    compacted: oldest.map(idOf),
  };
}

/** A summary of that name that somebody wrote meanwhile is ours to go on with when it stands for the same capsules. */
function writeSummary(tree: MemoryTree, id: string, oldest: readonly NamedCapsule[], at: string): void {
  const parent = oldest.at(-1)?.document.text("parent_capsule_id").trim() ?? "";
  const text = summaryText(id, oldest, parent, at);
  if (createExclusive(join(tree.capsules, `${id}.md`), text, { durable: true, mode: 0o600 })) return;
  if (standsFor(readNamed(tree, `${id}.md`), oldest)) return;
  throw new MajordomusError({
    code: "capsule.taken",
    exit: EXIT.refused,
    subject: `${id}.md`,
    message: "is the summary of other capsules already",
    remedy: "try again tomorrow, or name another head",
  });
}
