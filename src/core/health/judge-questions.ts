import type { Checkout } from "../checkout/checkout.ts";
import type { Result } from "../base/result.ts";
import type { Finding } from "../labels/terms.ts";
import { readQuestions } from "../records/questions.ts";
import type { Questions } from "../records/questions.ts";
import { clip } from "../text/inert.ts";
import { firstOf, judgement } from "./judgement.ts";
import { shellWord } from "../text/shell-word.ts";
import { shownPath } from "../checkout/shown-path.ts";

const FILE = "open-questions.md";
const SHOWN = 20;
const SHOWN_CHARACTERS = 120;
const LIST = "majordomus question list";

/** The question index as a judge sees it: read once, judged for form and for what is unresolved. */
export interface QuestionReading {
  questions: Result<Questions, string>;
  path: string;
}

export function readQuestionIndex({ layout, root }: Checkout): QuestionReading {
  return {
    questions: readQuestions(layout.questions),
    path: shownPath(root, layout.questions),
  };
}

/** Whether every line that looks like a question is one (records.md 8.5): a mistyped one would hide from the gate. */
export function judgeQuestionForm(level: "FAIL" | "DRIFT", { questions, path }: QuestionReading): Finding[] {
  if (!questions.ok) {
    return [
      judgement(level, "questions", FILE, `cannot be read: ${questions.error}`, `ls -ld ${shellWord(path)}`),
    ];
  }
  const { open, resolved, malformed } = questions.value;
  if (malformed.length === 0) {
    return [judgement("OK", "questions", FILE, `${open.length + resolved.length} question(s), all readable`)];
  }
  return firstOf(
    malformed.map(({ line, text }) =>
      judgement(
        level,
        "questions",
        `${FILE}:${line}`,
        `is no question line: ${clip(text, SHOWN_CHARACTERS)}`,
        `sed -n ${line}p ${shellWord(path)}`,
      ),
    ),
    SHOWN,
  );
}

/**
 * What is unresolved: one warning with the count, a failure where a question of this task is among them.
 * An index that cannot be read is judged by its form.
 *
 * @param task the task that is bound by it; undefined where none is.
 */
export function judgeBlockers({ questions }: QuestionReading, task: string | undefined): Finding[] {
  if (!questions.ok) return [];
  const { open } = questions.value;
  const [first] = open;
  if (first === undefined) return [judgement("OK", "blockers", FILE, "no unresolved question")];
  const own = open.filter((question) => question.task === task);
  const shown = own[0] ?? first;
  const count =
    own.length === 0
      ? `${open.length} unresolved question(s)`
      : `${open.length} unresolved question(s), ${own.length} of this task`;
  return [
    judgement(
      own.length > 0 ? "FAIL" : "WARN",
      "blockers",
      FILE,
      `${count}: ${clip(shown.question, SHOWN_CHARACTERS)} (${clip(shown.task, SHOWN_CHARACTERS)})`,
      LIST,
    ),
  ];
}
