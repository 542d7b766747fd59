import { sha256Hex } from "../base/id.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { KNOWLEDGE_ID } from "../records/knowledge.ts";
import type { KnowledgeDraft } from "../records/knowledge.ts";
import { fill, sourceOf, whatIsSaid } from "./sources.ts";
import type { Said, Source } from "./sources.ts";
import { isTranscriptLine } from "./transcript.ts";

/** Why a fact becomes no candidate, before anybody looks at the disk. */
export type Unfit = "transcript" | "timestamp" | "id";

/** One fact of an episode. */
export interface PlannedCandidate {
  /** Without the commits and files that hold for the whole episode. */
  draft: KnowledgeDraft;
  unfit?: Unfit;
  /** What only another checkout may know is missing: a standing record is not replaced by this one. */
  incomplete: boolean;
}

const DIGEST_LENGTH = 12;
const DAY = /^\d{4}-\d\d-\d\d(?=T|$)/;

/** The id of a fact: a digest of its evidence, so that no wording moves its file (records.md 12.2). */
export function knowledgeId(sessionId: string, canonicalLines: readonly string[]): string {
  return `${sessionId}-${sha256Hex(canonicalLines.join("\n")).slice(0, DIGEST_LENGTH)}`;
}

function describe(source: Source, said: Said): { title: string; description: string } {
  const outside = said.task === "none" ? source.descriptionOutsideTask : undefined;
  const reasoned = said.reason === "" ? undefined : source.titleWithReason;
  return {
    title: fill(reasoned ?? source.title, said),
    description: fill(outside ?? source.description, said),
  };
}

function unfitness(draft: KnowledgeDraft): Unfit | undefined {
  if (!KNOWLEDGE_ID.test(draft.id)) return "id";
  if (draft.date === "") return "timestamp";
  return isTranscriptLine(draft.title) || isTranscriptLine(draft.description) ? "transcript" : undefined;
}

/**
 * What an episode's own ledger lines say, as candidates: pure, and the same for the same lines. A fact that
 * was said twice is one; the later line's words stand.
 *
 * @param reasonOf the first line of a task's completion note under its reason, where this checkout has it
 */
export function planCandidates(
  sessionId: string,
  lines: readonly LedgerLine[],
  reasonOf: (task: string) => string | undefined,
): PlannedCandidate[] {
  const planned = new Map<string, PlannedCandidate>();
  for (const line of lines) {
    const said = whatIsSaid(line, sessionId);
    const source = sourceOf(said);
    if (source === undefined) continue;
    const reason = source.titleWithReason === undefined ? "" : reasonOf(said.task);
    const known = { ...said, reason: reason ?? "" };
    const id = knowledgeId(
      sessionId,
      source.canonical.map((key) => said[key]),
    );
    const draft: KnowledgeDraft = {
      id,
      class: source.class,
      ...describe(source, known),
      epistemics: source.epistemics,
      date: DAY.exec(line.ts)?.[0] ?? "",
      tag: source.tag,
      derivedFrom: [
        `session:${sessionId}`,
        ...(said.task === "none" ? [] : [`${source.reference}:${said.task}`]),
      ],
      files: [],
    };
    const unfit = unfitness(draft);
    planned.set(id, {
      draft,
      ...(unfit === undefined ? {} : { unfit }),
      incomplete: reason === undefined,
    });
  }
  return [...planned.values()];
}
