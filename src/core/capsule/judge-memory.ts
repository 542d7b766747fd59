import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listLocks, stuckReason } from "../fs/lock-standing.ts";
import { readText } from "../fs/read.ts";
import type { Finding } from "../labels/terms.ts";
import { shellWord } from "../text/shell-word.ts";
import { ageOf } from "./age.ts";
import type { CapsuleSelectAnswer } from "./answers.ts";
import { readExtension } from "./extension.ts";
import { installBaseOf } from "./install-root.ts";
import { isInUse } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";
import { readMemory, viewSelection } from "./read-model.ts";
import { rejectionCounts } from "./summary.ts";

const CATEGORY = "capsules";
const SELECT = "majordomus capsule select";
const SHOW_ROOT = "majordomus memory-root --root .";

/** Of the 9,000 bytes that a provider takes, what the rest of a procedure needs. */
const PROVIDER_BYTES = 9000;
const OTHER_BYTES = 4000;

const LOG_BYTES = 512 * 1024;
const SHOWN_LINES = 5;
const RECENT = 86_400_000;

function finding(level: Finding["level"], subject: string, message: string, reproduce: string): Finding {
  return { level, category: CATEGORY, subject, message, reproduce };
}

/** Every file counted under its verdict; a directory that cannot be read has none, and is no clean one. */
function countVerdicts(
  { capsule, total, rejected, unavailable }: CapsuleSelectAnswer,
  { capsules, memory: { relative } }: MemoryTree,
): Finding {
  if (unavailable === "capsules-dir-unreadable") {
    const message = `${unavailable}: it is no directory of its own, or may not be read: nothing is saved there, and no clear resumes anything`;
    return finding("FAIL", `${relative}/capsules`, message, `ls -ld ${shellWord(capsules)}`);
  }
  const selected = capsule === null ? [] : ["1x selected"];
  const counts = [...selected, ...(rejected.length === 0 ? [] : [rejectionCounts(rejected)])];
  const told = counts.length === 0 ? "" : `: ${counts.join(", ")}`;
  return finding("OK", relative, `${total} file(s)${told}`, SELECT);
}

/** One finding for each reason by which capsules were written and then discarded. */
function judgeRejections({ groups }: CapsuleSelectAnswer): Finding[] {
  return groups
    .filter(({ ordinary }) => !ordinary)
    .map(({ reason, detail, count, names }) => {
      const told = detail === undefined ? "" : ` (${quoteValue(detail, 80)})`;
      const message = `${reason}${told}, e.g. ${quoteValue(names[0] ?? "", 80)}: no clear will resume it`;
      return finding("WARN", `${count} file(s)`, message, SELECT);
    });
}

function judgeSelected({ capsule }: CapsuleSelectAnswer): Finding[] {
  if (capsule === null) return [];
  return capsule.problems.map((problem) =>
    finding("WARN", quoteValue(capsule.name, 80), quoteValue(problem, 160), `majordomus capsule validate`),
  );
}

/** A declaration that is refused, or whose lines leave no room for the capsule that they announce. */
function judgeExtension(base: string): Finding[] {
  const extension = readExtension(base);
  const reproduce = "majordomus lifecycle-extension render resume_ack";
  if (extension.warning !== null)
    return [finding("FAIL", "lifecycle extension", extension.warning, reproduce)];
  const lines = [...extension.resume_preload, ...extension.resume_reground];
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 100, 0);
  if (bytes <= PROVIDER_BYTES - OTHER_BYTES) return [];
  const message = `its declared lines take ${bytes} bytes, and a provider takes ${PROVIDER_BYTES} in all: the procedure will be cut by it`;
  return [finding("WARN", "lifecycle extension", message, reproduce)];
}

/** The newest lines of the error log, of the last day alone: what is old was seen. */
function judgeErrors(tree: MemoryTree, now: number): Finding[] {
  const text = readText(tree.errors, { maximumBytes: LOG_BYTES });
  if (!text.ok) return [];
  const recent = text.value
    .split("\n")
    .filter((line) => now - Date.parse(line.split(" ", 1)[0] ?? "") <= RECENT)
    .slice(-SHOWN_LINES);
  return recent.map((line) => finding("WARN", "error log", quoteValue(line, 200), SELECT));
}

/** Locks of an unknown holder: no clear gets past them until a person removes them. */
function judgeLocks(checkout: Checkout, tree: MemoryTree, now: number): Finding[] {
  return listLocks(tree.locks, now).flatMap(({ path, standing }) => {
    const reason = stuckReason(standing);
    if (reason === undefined) return [];
    const shown = shownPath(checkout.root, path);
    const message = `${reason}; \`majordomus recover orphans\` can remove it`;
    return [finding("WARN", shown, message, `cat ${shellWord(shown)}`)];
  });
}

function judgeDiversion(base: string, diverted: boolean): Finding[] {
  if (!diverted) return [];
  const message = `AIGENT_STATE_HOME_DIR diverts memory to ${quoteValue(base, 200)}`;
  return [finding("WARN", "memory root", message, SELECT)];
}

function judgeTree(checkout: Checkout, tree: MemoryTree, now: number): Finding[] {
  const { relative } = tree.memory;
  if (!isInUse(tree)) return [finding("OK", relative, "not in use here", SELECT)];
  const selection = viewSelection(checkout, now);
  return [
    countVerdicts(selection, tree),
    ...judgeRejections(selection),
    ...judgeSelected(selection),
    ...judgeLocks(checkout, tree, now),
    ...judgeErrors(tree, now),
  ];
}

/**
 * Whether memory can be used, and whether what was written there will ever be resumed; every file's verdict is
 * counted (work.md, doctor).
 */
export function judgeMemory(checkout: Checkout): Finding[] {
  const memory = readMemory(checkout);
  if ("fault" in memory) return [finding("FAIL", "memory root", memory.fault, SHOW_ROOT)];
  const { base, diverted } = installBaseOf(checkout.environment, checkout.root);
  const now = checkout.clock.now();
  return [
    ...judgeDiversion(base, diverted),
    ...judgeExtension(base),
    ...judgeTree(checkout, memory.tree, now),
  ];
}

function watchSelected({ capsule }: CapsuleSelectAnswer, now: number): Finding[] {
  if (capsule === null || !capsule.stale) return [];
  const age = ageOf(Date.parse(capsule.created ?? ""), now);
  const message = `would still be resumed, and is ${age}: resolve it, or abandon it`;
  return [finding("DRIFT", quoteValue(capsule.name, 80), message, SELECT)];
}

/**
 * What has drifted in memory since it was right: a root or a declaration that cannot be followed any more, and
 * a stale capsule that a clear would still resume (work.md, watch).
 */
export function watchMemory(checkout: Checkout): Finding[] {
  const memory = readMemory(checkout);
  if ("fault" in memory) return [finding("DRIFT", "memory root", memory.fault, SHOW_ROOT)];
  const now = checkout.clock.now();
  const refused = judgeExtension(installBaseOf(checkout.environment, checkout.root).base)
    .filter(({ level }) => level === "FAIL")
    .map((one) => ({ ...one, level: "DRIFT" as const }));
  const found = [
    ...refused,
    ...(isInUse(memory.tree) ? watchSelected(viewSelection(checkout, now), now) : []),
  ];
  return found.length > 0 ? found : [finding("OK", memory.tree.memory.relative, "nothing drifted", SELECT)];
}
