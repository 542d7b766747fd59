import { episode, EPISODES, episodesAnswer, historyAnswer, historyLines, STATE } from "./console-answers.ts";
import { FILES, SELECTED, SELECTION } from "./console-capsule-answers.ts";
import { candidate } from "./console-knowledge-answers.ts";
import { RECORDS, STATUS } from "./console-sync-answers.ts";
import { DECISIONS, HANDOVER, QUESTIONS } from "./console-work-answers.ts";

/** Every answer with these texts wherever a record, a file name or another machine may say what it likes. */
export function hostileAnswers(texts: readonly string[]): Record<string, unknown> {
  const at = (index: number): string => texts[index % texts.length] ?? "";
  const lines = historyLines(texts.length).map((line, index) => ({
    ...line,
    event: at(index),
    summary: at(index),
  }));
  const hostile = texts.map((text, index) =>
    episode(String(1000 + index), { branch: text, provider: text, owner: text, note: text, worktree: text }),
  );
  const [decision] = DECISIONS.decisions;
  const [file] = FILES;
  const [travelling] = RECORDS;
  return {
    "lifecycle.episodes": episodesAnswer([...EPISODES, ...hostile]),
    "history.query": historyAnswer(lines),
    "continuity.state": { ...STATE, branch: at(0), blockers: texts },
    "question.list": {
      ...QUESTIONS,
      open: texts.map((question) => ({ task: question, question, date: question })),
    },
    "decision.list": {
      schema: 1,
      decisions: texts.map((text, line) => ({ ...decision, heading: text, title: text, why: text, line })),
    },
    "handover.resolve": {
      schema: 1,
      handover: { ...HANDOVER, path: at(1), body: texts.join("\n"), next_action: at(2), tree_note: at(3) },
      skipped: [],
    },
    "knowledge.candidates": {
      schema: 1,
      candidates: texts.map((text, index) =>
        candidate(String(index), { class: text, title: text, branch: text, faults: [text], path: text }),
      ),
      awaiting: texts.length,
      skipped: [{ path: at(0), reason: at(1) }],
    },
    "capsule.list": {
      schema: 1,
      memory: { exists: true, diverted: false },
      total: texts.length,
      files: texts.map((text) => ({
        ...file,
        name: text,
        id: text,
        detail: text,
        objective: text,
        field: text,
      })),
    },
    "capsule.select": {
      ...SELECTION,
      capsule: { ...SELECTED, id: at(0), objective: at(1), next_valid_action: at(2) },
    },
    "continuity.status": {
      ...STATUS,
      resumable: texts.map((text, index) => ({
        ...travelling,
        id: `r${index}`,
        branch: text,
        objective: text,
        device: { node: text, label: text },
      })),
      diagnostics: texts.map((text) => ({ severity: "warning", code: text, message: text, subject: text })),
    },
    "continuity.records": {
      records: texts.map((text, index) => ({
        ...travelling,
        id: `r${index}`,
        parent: `r${Math.floor(index / 2)}`,
        objective: text,
        device: { node: text, label: text },
      })),
      lines: [],
      refused: [],
      diagnostics: [],
    },
    doctor: {
      schema: 1,
      findings: texts.map((text) => ({ level: "FAIL", category: text, subject: text, message: text })),
    },
  };
}
