import { dirname } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listLocks, stuckReason } from "../fs/lock-standing.ts";
import { readText, statEntry } from "../fs/read.ts";
import { hasRoom, isWritable } from "../fs/writable.ts";
import { lastResortLog } from "../journal/last-resort.ts";
import type { Finding } from "../labels/terms.ts";
import { shellWord } from "../text/shell-word.ts";
import { ageOf } from "./age.ts";
import type { CapsuleSelectAnswer } from "./answers.ts";
import { elsewhereMark } from "./errors-log.ts";
import { readExtension } from "./extension.ts";
import { installBaseOf } from "./install-root.ts";
import { isInUse } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { linesMissing } from "./offered-to-git.ts";
import { quoteValue } from "./quote.ts";
import { unfinishedWrites } from "./unfinished.ts";
import { readMemory, viewSelection } from "./read-model.ts";
import { NO_FORMER_RECEIPT, readReceiptTime, RECEIPT_TAG } from "./receipt.ts";
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

/** Where nothing can be written no turn is saved and no clear can spend what it would load. */
function judgeRoom(checkout: Checkout, { memory, capsules, runtime, locks, writers }: MemoryTree): Finding[] {
  const log = lastResortLog(checkout.environment);
  const told = log === undefined ? "no hook can say so" : `what hooks say of it is in ${log}`;
  // What stands in the place of the capsules' directory is judged with what is in it.
  const listed = statEntry(capsules)?.isDirectory() === true ? [capsules] : [];
  const refusing = [memory.root, ...listed, runtime, locks, writers].find((path) => !isWritable(path));
  if (refusing !== undefined) {
    const shown = shownPath(checkout.root, refusing);
    const message = `cannot be written: no turn is saved, and no clear can resume; ${told}`;
    return [finding("FAIL", shown, message, `ls -ld ${shellWord(shown)}`)];
  }
  if (hasRoom(memory.root)) return [];
  const message = `its file system is full: no turn is saved, and no clear can resume; ${told}`;
  return [finding("FAIL", memory.relative, message, `df ${shellWord(memory.relative)}`)];
}

/** The newest lines of a log that pass, of the last day alone: what is old was seen. */
function newestLines(log: string, now: number, passes: (line: string) => boolean): string[] {
  const text = readText(log, { maximumBytes: LOG_BYTES });
  if (!text.ok) return [];
  return text.value
    .split("\n")
    .filter((line) => now - Date.parse(line.split(" ", 1)[0] ?? "") <= RECENT && passes(line))
    .slice(-SHOWN_LINES);
}

/** Whether a line of the log tells of receipts, and a later one stands, or there never was one to go on from. */
function isSettledReceipt(line: string, later: number | undefined): boolean {
  const [at = "", tag] = line.split(" ", 2);
  if (tag !== `tag=${quoteValue(RECEIPT_TAG, 80)}`) return false;
  return line.endsWith(`${NO_FORMER_RECEIPT}"`) || (later !== undefined && Date.parse(at) < later);
}

/** What was logged in the tree, and what was to be logged there while nothing could be written. */
function judgeErrors({ root }: Checkout, tree: MemoryTree, now: number): Finding[] {
  const mark = elsewhereMark(tree);
  const elsewhere =
    tree.lastResort === undefined ? [] : newestLines(tree.lastResort, now, (line) => line.includes(mark));
  const show = `tail ${shellWord(tree.lastResort ?? "")}`;
  const showHere = `tail ${shellWord(shownPath(root, tree.errors))}`;
  const receipt = readReceiptTime(tree, now);
  return [
    ...newestLines(tree.errors, now, (line) => !isSettledReceipt(line, receipt)).map((line) =>
      finding("WARN", "error log", quoteValue(line, 200), showHere),
    ),
    ...elsewhere.map((line) =>
      finding("WARN", "hooks.log", quoteValue(line.replace(mark, "memory:"), 200), show),
    ),
  ];
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

/** What a commit of everything would take along that is nobody's history; asked only of a tree that git may keep. */
function judgeExposure({ root, repository }: Checkout, { base, memory }: MemoryTree): Finding[] {
  if (base !== root) return [];
  const missing = linesMissing({ ...repository, goesWithoutGit: true }, memory.relative);
  if (missing.length === 0) return [];
  const message = `git would take along what was said there, secrets too: .gitignore lacks ${missing.join(", ")}`;
  const probe = `git status --short --untracked-files=all -- ${shellWord(memory.relative)}`;
  return [finding("WARN", memory.relative, message, probe)];
}

/** What writes that were cut short left; each was told as failed, or nobody was left to be told. */
function judgeUnfinished(checkout: Checkout, tree: MemoryTree, now: number): Finding[] {
  const [first, ...others] = unfinishedWrites(tree, now).map((path) => shownPath(checkout.root, path));
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const message = `a write that was cut short left it${more}; the next capsule that is begun takes away what is an hour old, \`majordomus recover orphans\` what is older than \`stranded_after\``;
  return [finding("WARN", first, message, `ls -la ${shellWord(dirname(first))}`)];
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
    ...judgeRoom(checkout, tree),
    ...judgeLocks(checkout, tree, now),
    ...judgeUnfinished(checkout, tree, now),
    ...judgeExposure(checkout, tree),
    ...judgeErrors(checkout, tree, now),
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
