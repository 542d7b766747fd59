import type { Checkout } from "../checkout/checkout.ts";
import { readText } from "../fs/read.ts";
import type { Finding } from "../labels/terms.ts";
import { readExtension } from "./extension.ts";
import { installBaseOf } from "./install-root.ts";
import { isInUse } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";
import { readMemory, viewSelection } from "./read-model.ts";
import { isOrdinary } from "./reasons.ts";
import type { RejectionReason } from "./reasons.ts";
import { selectCapsule } from "./select.ts";
import { groupRejections } from "./summary.ts";

const CATEGORY = "capsules";
const SELECT = "majordomus capsule select";

/** Reasons that may be somebody's intention; every other one is a capsule that nobody will ever resume. */
const INTENDED: ReadonlySet<RejectionReason> = new Set([
  "no-frontmatter",
  "status-not-active",
  "placeholder-demoted",
]);

/** Of the 9,000 bytes that a provider takes, what the rest of a procedure needs. */
const PROVIDER_BYTES = 9000;
const OTHER_BYTES = 4000;

const LOG_BYTES = 512 * 1024;
const SHOWN_LINES = 5;
const RECENT = 86_400_000;

function finding(level: Finding["level"], subject: string, message: string, reproduce: string): Finding {
  return { level, category: CATEGORY, subject, message, reproduce };
}

/** One finding for each reason by which capsules were written and then discarded. */
function judgeRejections(tree: MemoryTree, now: number): Finding[] {
  const { rejected } = selectCapsule(tree.memory.root, now);
  return groupRejections(rejected.filter((rejection) => !isOrdinary(rejection))).map(
    ({ reason, detail, count, names }) => {
      const told = detail === undefined ? "" : ` (${quoteValue(detail, 80)})`;
      const first = quoteValue(names[0] ?? "", 80);
      const level = INTENDED.has(reason) ? "WARN" : "FAIL";
      return finding(
        level,
        `${count} file(s)`,
        `${reason}${told}, e.g. ${first}: no clear will resume it`,
        SELECT,
      );
    },
  );
}

function judgeSelected(checkout: Checkout, now: number): Finding[] {
  const { capsule } = viewSelection(checkout, now);
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

/** Whether memory can be used, and whether what was written there will ever be resumed. */
export function judgeMemory(checkout: Checkout): Finding[] {
  const memory = readMemory(checkout);
  if ("fault" in memory) {
    return [finding("FAIL", "memory root", memory.fault, "majordomus memory-root --root .")];
  }
  const { tree } = memory;
  const now = checkout.clock.now();
  const { base, diverted } = installBaseOf(checkout.environment, checkout.root);
  const findings = [
    ...(diverted
      ? [
          finding(
            "WARN",
            "memory root",
            `AIGENT_STATE_HOME_DIR diverts memory to ${quoteValue(base, 200)}`,
            SELECT,
          ),
        ]
      : []),
    ...judgeExtension(base),
    ...(isInUse(tree)
      ? [...judgeRejections(tree, now), ...judgeSelected(checkout, now), ...judgeErrors(tree, now)]
      : []),
  ];
  if (findings.length > 0) return findings;
  return [finding("OK", "memory", isInUse(tree) ? tree.memory.relative : "not in use here", SELECT)];
}
