import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { createExclusive } from "../fs/write.ts";
import { jsonScalar } from "./autosave/skeleton.ts";
import { capsuleText, FRAMING } from "./framing.ts";
import { openFinder, readNamed } from "./find.ts";
import type { NamedCapsule } from "./find.ts";
import { capsuleLock, ensureRuntime } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { flatten, quoteValue } from "./quote.ts";
import { rewriteCapsule, setField } from "./rewrite.ts";

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
function walkChain(tree: MemoryTree, wanted: string): NamedCapsule[] {
  const finder = openFinder(tree);
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

/** Sets one field of a capsule under its lock. */
function mark(tree: MemoryTree, name: string, key: string, token: string, { patience }: Means): void {
  withPatientLock(capsuleLock(tree, name), patience, (lock) => {
    const { bytes, path, document } = readNamed(tree, name);
    if (document.scalar(key)?.token === token) return;
    const after = setField(bytes, { key, token });
    const written = after.ok ? rewriteCapsule(path, bytes, after.value, lock) : after;
    if (written.ok) return;
    throw new MajordomusError({
      code: "capsule.refused",
      exit: EXIT.finding,
      subject: name,
      message: written.error,
      remedy: "run it again: what was done already stays done",
    });
  });
}

/**
 * Puts the three oldest links of a long chain into one summary, links the chain to it, and marks what it stands for;
 * nothing is deleted. Each act alone leaves a chain that can be walked, and a second run goes on where one was cut off.
 *
 * @throws MajordomusError 12 and 10 as `walkChain`; LockTimeout; the errno error.
 */
export function compactChain(tree: MemoryTree, wanted: string, means: Means): Compaction {
  const chain = walkChain(tree, wanted);
  const ids = chain.map(idOf);
  if (chain.length < LONG) return { state: "nothing", chain: ids, compacted: [] };
  const oldest = chain.slice(-TOGETHER);
  const last = chain.at(-TOGETHER - 1);
  const at = new Date(means.clock.now()).toISOString();
  const id = `chain-summary-${ids[0] ?? ""}-${at.slice(0, 10)}`;
  const parent = oldest.at(-1)?.document.text("parent_capsule_id").trim() ?? "";
  ensureRuntime(tree);
  const path = join(tree.capsules, `${id}.md`);
  const text = summaryText(id, oldest, parent, at);
  if (!createExclusive(path, text, { durable: true, mode: 0o600 })) requireSame(tree, `${id}.md`, oldest);
  if (last !== undefined) mark(tree, last.name, "parent_capsule_id", jsonScalar(id), means);
  for (const { name } of oldest) mark(tree, name, "compacted_into", jsonScalar(id), means);
  return {
    state: "compacted",
    chain: [...ids.slice(0, -TOGETHER), id],
    summary: id,
    compacted: oldest.map(idOf),
  };
}

/** A summary of that name is ours to go on with only when it stands for the same capsules. */
function requireSame(tree: MemoryTree, name: string, oldest: readonly NamedCapsule[]): void {
  const body = readNamed(tree, name).document.body();
  if (oldest.every((capsule) => body.includes(`- ${quoteValue(idOf(capsule), 120)}: `))) return;
  throw new MajordomusError({
    code: "capsule.taken",
    exit: EXIT.refused,
    subject: name,
    message: "is the summary of other capsules already",
    remedy: "try again tomorrow, or name another head",
  });
}
