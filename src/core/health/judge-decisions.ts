import type { Checkout } from "../checkout/checkout.ts";
import type { Finding } from "../labels/terms.ts";
import { readDecisions } from "../records/decisions.ts";
import type { Decision } from "../records/decisions.ts";
import { clip } from "../text/inert.ts";
import { firstOf, judgement } from "./judgement.ts";
import { shellWord } from "../text/shell-word.ts";
import { shownPath } from "../checkout/shown-path.ts";

const FILE = "decisions.md";
const SHOWN = 20;
const SHOWN_CHARACTERS = 120;
/** What makes an entry of use to somebody else (records.md 8.4). */
const NEEDED = [
  ["Task", "task"],
  ["Head", "head"],
  ["Why", "why"],
] as const satisfies readonly (readonly [string, keyof Decision])[];

function lacking(decision: Decision): string[] {
  return NEEDED.filter(([, key]) => (decision[key] ?? "") === "").map(([name]) => name);
}

/** Entries without task, head or reason are warned of: they stay as they are, the log is append-only. */
export function judgeDecisions({ layout, root }: Checkout): Finding[] {
  const path = shownPath(root, layout.decisions);
  const decisions = readDecisions(layout.decisions);
  if (!decisions.ok) {
    return [
      judgement("FAIL", "decisions", FILE, `cannot be read: ${decisions.error}`, `ls -ld ${shellWord(path)}`),
    ];
  }
  const incomplete = decisions.value.flatMap((decision) => {
    const missing = lacking(decision);
    if (missing.length === 0) return [];
    const title = clip(decision.title, SHOWN_CHARACTERS);
    return [
      judgement(
        "WARN",
        "decisions",
        `${FILE}:${decision.line}`,
        `has no ${missing.join(", no ")}: ${title}`,
        `sed -n ${decision.line}p ${shellWord(path)}`,
      ),
    ];
  });
  if (incomplete.length > 0) return firstOf(incomplete, SHOWN);
  return [judgement("OK", "decisions", FILE, `${decisions.value.length} decision(s), each with its reason`)];
}
