import type { CandidateView } from "../../src/core/knowledge/answers.ts";

/** Answers about what waits for review, as capabilities give them. */

export function candidate(tail: string, more: Partial<CandidateView> = {}): CandidateView {
  const id = `s-20260903120000-fc51-${tail}`;
  return {
    id,
    class: "convention",
    status: "candidate",
    epistemics: "decided",
    date: "2026-09-03",
    episode: "s-20260903120000-fc51",
    branch: "main",
    path: `.ai/repo/knowledge/candidates/${id}.md`,
    title: `Stream, do not slurp (${tail})`,
    description: "Recorded as a decision.",
    recorded_at: "2026-09-03T00:00:00Z",
    evidence: "resolved",
    faults: [],
    digest: `digest-${tail}`,
    ...more,
  };
}

export const CANDIDATES: readonly CandidateView[] = [
  candidate("aa01", { class: "fact", date: "2026-08-20", evidence: "dangling", title: "Exports are UTF-8" }),
  candidate("aa02"),
  candidate("aa03", { date: "2026-09-04", branch: null, episode: null, evidence: "not-here" }),
];

function shown(input: { id: string }): unknown {
  const record = CANDIDATES.find(({ id }) => id === input.id) ?? CANDIDATES[0];
  return {
    schema: 1,
    record: {
      ...record,
      shelf: "candidates",
      tags: [],
      origin: "derived",
      superseded_by: null,
      text: `---\nid: ${input.id}\n---\n# Statement\n\nStreams everywhere.\n`,
    },
    evidence: [{ reference: "ledger:decision.recorded", state: "resolved", reason: "the line stands" }],
    signature: { state: "none", reason: "not signed" },
    supersedes: [],
    superseded_by: [],
    chain_fault: null,
  };
}

/** Each of these capabilities' answer, by its id. */
export function knowledgeAnswers(): Record<string, unknown> {
  return {
    "knowledge.candidates": {
      schema: 1,
      candidates: [...CANDIDATES],
      awaiting: 3,
      skipped: [{ path: ".ai/repo/knowledge/candidates/note.md", reason: "is no record" }],
    },
    // As data where it can be: answers for consoles in terminals are files.
    "knowledge.show": shown({ id: CANDIDATES[2]?.id ?? "" }),
    "knowledge.promote": {
      schema: 1,
      state: "promoted",
      id: "x",
      path: ".ai/repo/knowledge/curated/x.md",
      notes: [],
    },
    "knowledge.reject": { schema: 1, state: "rejected", id: "x", path: ".ai/repo/knowledge/candidates/x.md" },
  };
}

/** Answers `knowledge.show` for whichever candidate is asked about. */
export const SHOW_ANY = { "knowledge.show": shown };
