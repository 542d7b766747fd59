import type { Finding } from "../labels/terms.ts";
import { CapsuleDocument } from "./document.ts";
import { listCapsules, readForJudging } from "./files.ts";
import { openFinder, readNamed } from "./find.ts";
import { checkFraming } from "./framing-check.ts";
import { judgeCapsule } from "./judge.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { readMemory } from "./read-model.ts";
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

/** Of all capsules those that could still be resumed, or were discarded although they should be; each file once. */
function validateUnspent(tree: MemoryTree, now: number): Finding[] {
  const listed = listCapsules(tree.capsules);
  return (listed.ok ? listed.value : []).flatMap((entry) => {
    const head = readForJudging(tree.capsules, entry);
    if (!head.ok) return [finding("FAIL", entry.name, `is ${head.error}`)];
    const verdict = judgeCapsule(head.value, now);
    if (!verdict.valid && verdict.reason === "already-consumed") return [];
    return validateWhole(tree, entry.name, now);
  });
}

/** A file that is no capsule is a finding where all are judged, and an error where it was named. */
function validateWhole(tree: MemoryTree, name: string, now: number): Finding[] {
  try {
    return judgeOne(name, readNamed(tree, name).document, now);
  } catch (error) {
    return [finding("FAIL", name, error instanceof Error ? error.message : String(error))];
  }
}

function validateNamed(tree: MemoryTree, names: readonly string[], now: number): Finding[] {
  const { find } = openFinder(tree);
  return names.flatMap((wanted) => {
    const { name, document } = find(wanted);
    return judgeOne(name, document, now);
  });
}

/**
 * Validates a text, named capsules, or every capsule that is not spent (capsules.md 6.4).
 *
 * @throws MajordomusError 12 for a name that is none.
 */
export function validateCapsules(
  place: Parameters<typeof readMemory>[0],
  now: number,
  wish: { capsules: readonly string[] | undefined; text: string | undefined },
): Finding[] {
  if (wish.text !== undefined) return judgeOne("text", CapsuleDocument.parse(Buffer.from(wish.text)), now);
  const memory = readMemory(place);
  if ("fault" in memory) return [finding("FAIL", "memory root", memory.fault)];
  const { tree } = memory;
  const found =
    wish.capsules === undefined ? validateUnspent(tree, now) : validateNamed(tree, wish.capsules, now);
  return found.length > 0 ? found : [finding("OK", "capsules", "there are none to validate")];
}
