import type { Finding } from "../labels/terms.ts";
import { CapsuleDocument } from "./document.ts";
import { findCapsule } from "./find.ts";
import { checkFraming } from "./framing-check.ts";
import { judgeCapsule } from "./judge.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { listVerdicts, readMemory } from "./read-model.ts";
import { problemText, validateDocument } from "./validate.ts";

const CATEGORY = "capsules";

function finding(level: Finding["level"], subject: string, message: string): Finding {
  return { level, category: CATEGORY, subject, message };
}

/** What is to be said of one capsule's text: each problem, what the selector would object to, what its framing lacks. */
function judgeOne(subject: string, document: CapsuleDocument | undefined, now: number): Finding[] {
  if (document === undefined) return [finding("FAIL", subject, "has no front matter")];
  const { problems } = validateDocument(document);
  const found = problems.map((problem) => finding("FAIL", subject, problemText(problem)));
  const verdict = judgeCapsule(document, now);
  const history = !verdict.valid && verdict.reason === "already-consumed";
  if (!verdict.valid && !history && problems.length === 0) {
    const detail = verdict.detail === undefined ? "" : ` (${verdict.detail})`;
    found.push(finding("FAIL", subject, `could not be selected: ${verdict.reason}${detail}`));
  }
  found.push(...checkFraming(document).map((lack) => finding("WARN", subject, lack)));
  return found.some(({ level }) => level === "FAIL")
    ? found
    : [finding("OK", subject, "has all required fields"), ...found];
}

/** Names of the capsules that could still be resumed, or were discarded although they should be. */
function unspent(place: Parameters<typeof listVerdicts>[0], now: number): string[] {
  return listVerdicts(place, now)
    .files.filter(({ verdict }) => verdict !== "already-consumed")
    .map(({ name }) => name);
}

/**
 * Validates a text, named capsules, or every capsule that is not spent (capsules.md 6.4).
 *
 * @throws MajordomusError 12 for a name that is none.
 */
export function validateCapsules(
  place: Parameters<typeof listVerdicts>[0],
  now: number,
  wish: { capsules: readonly string[] | undefined; text: string | undefined },
): Finding[] {
  if (wish.text !== undefined) return judgeOne("text", CapsuleDocument.parse(Buffer.from(wish.text)), now);
  const memory = readMemory(place);
  if ("fault" in memory) return [finding("FAIL", "memory root", memory.fault)];
  const names = wish.capsules ?? unspent(place, now);
  if (names.length === 0) return [finding("OK", "capsules", "there are none to validate")];
  return names.flatMap((name) => judgeNamed(memory.tree, name, now, wish.capsules !== undefined));
}

/** A file that is no capsule is a finding where all are judged, and an error where it was named. */
function judgeNamed(tree: MemoryTree, name: string, now: number, named: boolean): Finding[] {
  try {
    const capsule = findCapsule(tree, name);
    return judgeOne(capsule.name, capsule.document, now);
  } catch (error) {
    if (named) throw error;
    return [finding("FAIL", name, error instanceof Error ? error.message : String(error))];
  }
}
