import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { isNoted } from "../ledger/noted.ts";
import { recordEvent } from "../ledger/record-event.ts";
import {
  formatOpenQuestion,
  formatResolvedQuestion,
  INDEX_MAXIMUM_BYTES,
  locateOpenQuestions,
  parseQuestions,
  QUESTION_SEPARATOR,
  readQuestions,
} from "../records/questions.ts";
import type { OpenQuestion, Questions, ResolvedQuestion } from "../records/questions.ts";
import { badArgument, hidden, oneLine, underLock } from "./author.ts";
import type { Author } from "./author.ts";
import { currentTask } from "./current-task.ts";
import { readBytes, replaceBytes, wholeLines, withLine } from "./log-file.ts";

const PREAMBLE = "# Open questions\n\n";

function today(checkout: Pick<Checkout, "clock">): string {
  return formatTimestamp(checkout.clock.now()).slice(0, 10);
}

/**
 * Adds an open question of the current task (records.md 8.5). Every byte that stands there is kept.
 *
 * @throws MajordomusError 2 for a question that is empty or contains the separator, 15 for one that is open
 *   already, 10 where the index cannot be read. Nothing is written then.
 */
export function addQuestion(checkout: Checkout, given: string, author: Author): OpenQuestion {
  const question = oneLine("question", given);
  if (question.includes(QUESTION_SEPARATOR)) {
    throw badArgument(
      "question",
      `may not contain the separator \`${QUESTION_SEPARATOR}\``,
      "use a comma or a colon in its place",
    );
  }
  const task = currentTask(checkout)?.id ?? "none";
  const opened: OpenQuestion = { task, question, date: today(checkout) };
  const path = checkout.layout.questions;
  underLock(checkout, "questions", (lock) => {
    const standing = readBytes(path, INDEX_MAXIMUM_BYTES);
    const same = parseQuestions(standing.toString("utf8")).open.find((other) => other.question === question);
    if (same !== undefined) {
      // The run that wrote it was killed before its line: this one completes it.
      if (same.task === task && !isNoted(checkout, "question.opened", { question })) return;
      throw new MajordomusError({
        code: "question.open",
        exit: EXIT.refused,
        subject: question,
        message: "is open already",
        remedy: "answer it with `majordomus question resolve`",
      });
    }
    const before = standing.length === 0 ? Buffer.from(PREAMBLE) : wholeLines(standing);
    const bytes = Buffer.concat([before, Buffer.from(`${formatOpenQuestion(opened)}\n`)]);
    if (parseQuestions(bytes.toString("utf8")).open.at(-1)?.question !== question) throw hidden(path);
    replaceBytes(path, bytes, lock);
  });
  recordEvent(checkout, "question.opened", { task_id: task, question }, { session: author.session });
  return opened;
}

/**
 * Answers the one open question that contains this text.
 *
 * @throws MajordomusError 2 when none or several match or the answer is empty, 10 where the index cannot be
 *   read. Nothing is written then.
 */
export function resolveQuestion(
  checkout: Checkout,
  given: { substring: string; answer: string },
  author: Author,
): ResolvedQuestion {
  const substring = oneLine("question", given.substring);
  const answer = oneLine("answer", given.answer);
  const path = checkout.layout.questions;
  const resolved = underLock(checkout, "questions", (lock) => {
    const standing = readBytes(path, INDEX_MAXIMUM_BYTES);
    const halfway = unfinishedAnswer(checkout, standing.toString("utf8"), substring, answer);
    if (halfway !== undefined) return halfway;
    const { line, question } = selectQuestion(standing.toString("utf8"), substring);
    const answered: ResolvedQuestion = { ...question, answer, date: today(checkout) };
    replaceBytes(path, withLine(standing, line, formatResolvedQuestion(answered)), lock);
    return answered;
  });
  const { task, question } = resolved;
  recordEvent(
    checkout,
    "question.resolved",
    { task_id: task, question, answer },
    { session: author.session },
  );
  return resolved;
}

/** What was answered so by a run that was killed before its ledger line. */
function unfinishedAnswer(
  checkout: Checkout,
  text: string,
  substring: string,
  answer: string,
): ResolvedQuestion | undefined {
  const { open, resolved } = parseQuestions(text);
  if (open.some(({ question }) => question.includes(substring))) return undefined;
  const same = resolved.filter((one) => one.question.includes(substring) && one.answer === answer);
  return same.find(({ question }) => !isNoted(checkout, "question.resolved", { question, answer }));
}

function selectQuestion(text: string, substring: string): { line: number; question: OpenQuestion } {
  const open = locateOpenQuestions(text);
  const exact = open.filter(({ question }) => question.question === substring);
  const matching =
    exact.length > 0 ? exact : open.filter(({ question }) => question.question.includes(substring));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  throw badArgument(
    substring,
    only === undefined ? "matches no open question" : "matches more than one question",
    "`majordomus question list` shows them",
  );
}

/**
 * The questions of the index, with the lines that look like one and are none.
 *
 * @throws MajordomusError 10 where the index cannot be read.
 */
export function listQuestions(checkout: Pick<Checkout, "layout">): Questions {
  const questions = readQuestions(checkout.layout.questions);
  if (questions.ok) return questions.value;
  throw new MajordomusError({
    code: "questions.unreadable",
    exit: EXIT.finding,
    subject: checkout.layout.questions,
    message: questions.error,
  });
}
