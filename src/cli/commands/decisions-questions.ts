import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const asking = () => import("../ask.ts");
const declared = () => import("../../core/capabilities/decisions-questions.ts");

const TASK = { name: "task", value: "id", summary: "only those of this task" } as const;

const addDecision = defineCommand({
  path: ["decision", "add"],
  summary: "record a decision",
  arguments: [{ name: "title", required: true, summary: "what was decided, in one line" }],
  options: [
    { name: "why", value: "reason", summary: "the reason; required" },
    { name: "rejected", value: "what", summary: "what was weighed and not taken" },
    { name: "evidence", value: "what", summary: "paths or commits that it rests on" },
    { name: "supersedes", value: "title", summary: "the one entry that it replaces, or a part of its title" },
  ],
  examples: [
    {
      command:
        'majordomus decision add "One cache" --why "two clocks for one expiry" --rejected "a refresh cache"',
      summary: "record it",
    },
  ],
  run: async (invocation) => {
    const { options, output, json } = invocation;
    const { usageError } = await import("../failure.ts");
    const { why, rejected, evidence, supersedes } = options;
    if (why === undefined) throw usageError({ message: "--why is wanted", remedy: "say why it was decided" });
    const { ask } = await asking();
    const answer = await ask(invocation, (await declared()).decisionAdd, {
      title: invocation.arguments.title,
      why,
      rejected,
      evidence,
      supersedes,
    });
    if (json) output.json(answer);
    else output.line(`decision: ${answer.decision.heading}`);
    return EXIT.ok;
  },
});

const listDecisions = defineCommand({
  path: ["decision", "list"],
  summary: "the decisions of this checkout, oldest first",
  options: [TASK],
  run: async (invocation) => {
    const { ask } = await asking();
    const answer = await ask(invocation, (await declared()).decisionList, { task: invocation.options.task });
    const { output, json } = invocation;
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    if (answer.decisions.length === 0) output.line("No decision.");
    for (const { heading, task, superseded_by: successor } of answer.decisions) {
      const replaced = successor === undefined ? "" : ` [superseded by ${successor}]`;
      output.line(`${heading} (${task ?? "none"})${replaced}`);
    }
    return EXIT.ok;
  },
});

const showDecision = defineCommand({
  path: ["decision", "show"],
  summary: "one decision",
  arguments: [{ name: "decision", required: true, summary: "its title, or a part that no other has" }],
  run: async (invocation) => {
    const { ask } = await asking();
    const { output, json } = invocation;
    const answer = await ask(invocation, (await declared()).decisionShow, {
      decision: invocation.arguments.decision,
    });
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    const { heading, task, head, why, rejected, evidence, supersedes, superseded_by, carried } =
      answer.decision;
    output.line(heading);
    const fields = { Task: task, Head: head, Why: why, Rejected: rejected, Evidence: evidence };
    for (const [name, value] of Object.entries({
      ...fields,
      Supersedes: supersedes,
      "Superseded by": superseded_by,
      Carried: carried,
    })) {
      if (value !== undefined) output.line(`${name}: ${value}`);
    }
    return EXIT.ok;
  },
});

const addQuestion = defineCommand({
  path: ["question", "add"],
  summary: "ask what has to be answered before work can be completed",
  arguments: [{ name: "question", required: true, summary: "in one line" }],
  run: async (invocation) => {
    const { ask } = await asking();
    const answer = await ask(invocation, (await declared()).questionAdd, {
      question: invocation.arguments.question,
    });
    if (invocation.json) invocation.output.json(answer);
    else invocation.output.line(`question: ${answer.question.question} (${answer.question.task})`);
    return EXIT.ok;
  },
});

const resolveQuestion = defineCommand({
  path: ["question", "resolve"],
  summary: "answer an open question",
  arguments: [{ name: "question", required: true, summary: "a part of it that no other has" }],
  options: [{ name: "answer", value: "text", summary: "the answer; required" }],
  run: async (invocation) => {
    const { options, output, json } = invocation;
    const { usageError } = await import("../failure.ts");
    if (options.answer === undefined) throw usageError({ message: "--answer is wanted" });
    const { ask } = await asking();
    const answer = await ask(invocation, (await declared()).questionResolve, {
      question: invocation.arguments.question,
      answer: options.answer,
    });
    if (json) output.json(answer);
    else output.line(`resolved: ${answer.question.question} — ${answer.question.answer}`);
    return EXIT.ok;
  },
});

const listQuestions = defineCommand({
  path: ["question", "list"],
  summary: "the open questions; with --all the answered ones too",
  options: [{ name: "all", summary: "answered ones too" }],
  run: async (invocation) => {
    const { ask } = await asking();
    const { output, json, options } = invocation;
    const answer = await ask(invocation, (await declared()).questionList, {});
    for (const { line, text } of answer.malformed) output.warn(`line ${line} is no question: ${text}`);
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    if (answer.open.length === 0) output.line("No open question.");
    for (const { question, task, date } of answer.open)
      output.line(`open      ${date}  ${task}  ${question}`);
    if (!options.all) return EXIT.ok;
    for (const { question, task, date, answer: given } of answer.resolved) {
      output.line(`resolved  ${date}  ${task}  ${question} — ${given}`);
    }
    return EXIT.ok;
  },
});

export const decisionQuestionCommands: readonly CommandDeclaration[] = [
  addDecision,
  listDecisions,
  showDecision,
  addQuestion,
  resolveQuestion,
  listQuestions,
];
