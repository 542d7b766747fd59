import type { ContextDocumentFacts } from "../records/context-document.ts";

/** Titles and purposes of the layer's directories; of a section that is named nowhere here, `init` writes none. */
export const SECTION_PURPOSES: Readonly<Record<string, readonly [title: string, description: string]>> = {
  profiles: ["Profiles", "How much context, verification and effort a kind of task gets."],
  rules: ["Rules", "Rules of this repository that a worker has to keep."],
  prompts: ["Prompts", "Texts that are filled from the state of the repository and given to a worker."],
  skills: ["Skills", "How recurring work is done here, step by step."],
  workflows: ["Workflows", "Orders of steps that several skills or people share."],
  knowledge: ["Knowledge", "What was learned: candidates wait for a person, curated ones are verified."],
  adrs: ["Architecture decisions", "Decisions about the design, one record each."],
  project: ["Project", "What this project is, for whom, and what it plans."],
  sessions: ["Closed sessions", "One record for each closed episode of work; written once, never edited."],
};

/** Directories below a section that `init` makes as well. */
export const SUBSECTIONS: Readonly<Record<string, readonly string[]>> = {
  knowledge: ["candidates", "curated"],
};

export const SUBSECTION_PURPOSES: Readonly<Record<string, readonly [title: string, description: string]>> = {
  candidates: ["Knowledge candidates", "Derived from the ledger, waiting to be promoted or rejected."],
  curated: ["Curated knowledge", "Verified by a person."],
};

export const LAYER_PURPOSE: Omit<ContextDocumentFacts, "id"> = {
  title: "The layer",
  description: "State and rules that keep work continuous; manifest.yaml names every part.",
};

/** Directories of the local half, below the state directory. */
export const STATE_DIRECTORIES: readonly string[] = [
  "sessions-open",
  "checkpoints",
  "handovers",
  "archive",
  "completed",
  "locks",
];

/** Files of the local half, below the state directory; their comments document the formats (records.md 8.4, 8.5). */
export const STATE_FILES: Readonly<Record<string, string>> = {
  "decisions.md": `# Decisions

Append-only. One dated entry per decision. Newest at the bottom.

<!-- template
## YYYY-MM-DD — title
Task: <task id>
Head: <commit>
Why: <reason>
Rejected: <alternatives or ->
Evidence: <paths or ->
Supersedes: <title or ->
-->
`,
  "open-questions.md": `# Open questions

<!--
- [unresolved] <task id> — <question> (<YYYY-MM-DD>)
- [resolved <YYYY-MM-DD>] <task id> — <question> — <answer>
-->
`,
};

/** Prompts by name (work.md, Prompts). Tokens in double braces are filled when a prompt is rendered. */
export const PROMPT_TEXTS: Readonly<Record<string, string>> = {
  continue: `---
name: continue
description: go on with the active task where the last worker left it
---

You take over work in {{REPOSITORY}}, branch {{BRANCH}} at {{HEAD}} ({{WORKING_TREE}}), at {{NOW}}.

Task {{TASK_ID}}: {{TASK}}
Scope: {{SCOPE}}

{{CONTEXT}}

Read the handover first. Where its labels say that the repository has moved on, verify before you rely on it.
Then go on with its next action, inside the scope.
`,
  debug: `---
name: debug
description: find the cause of a defect before changing anything
profile: debugging
---

Task {{TASK_ID}}: {{TASK}}
Scope: {{SCOPE}}

{{CHECKPOINT}}

{{OPEN_QUESTIONS}}

Reproduce the defect first, and keep the reproduction as a test that fails. Name the cause with its evidence
before you change anything. Afterwards show the same test passing.
`,
  handover: `---
name: handover
description: write the handover that the next worker needs
---

Write a handover of task {{TASK_ID}} ({{TASK}}) on branch {{BRANCH}} at {{HEAD}}, working tree {{WORKING_TREE}}.

{{DECISIONS}}

{{OPEN_QUESTIONS}}

Level-one sections, in this order:

# Objective
# Current State
# Next Action

State what is verified and how, and what is only assumed. The next action is one step that somebody can begin
without asking. Do not write identity lines such as branch or commit: they are recorded by themselves.
`,
  review: `---
name: review
description: judge a change against its task
---

Review the changes on branch {{BRANCH}} at {{HEAD}} for task {{TASK_ID}}: {{TASK}}
Scope: {{SCOPE}}

{{DECISIONS}}

{{HANDOVER}}

Report what is wrong before what could be nicer. For each finding name the file and the line, what happens, and
what should happen instead. Say which decisions above the change contradicts, if any.
`,
};
