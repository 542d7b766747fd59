import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const ALL = { name: "all", summary: "with --list: of other branches too", beside: ["list"] } as const;
const PATH = {
  name: "path",
  summary: "print its path alone; 12 when none resolves",
  without: ["list", "derive"],
} as const;

const TYPED =
  "At a terminal it is typed in $VISUAL or $EDITOR. What was typed stays in majordomus/typed under the user's state " +
  "directory until the record stands: a text that is refused is named there, and fifty are kept.";

/** What only shows handovers: nothing is written beside it. */
const READING = ["resolve", "list", "path"] as const;

const start = defineCommand({
  path: ["start"],
  summary: "begin the task of this checkout",
  arguments: [{ name: "task", required: true, summary: "what is to be done, in one line" }],
  options: [
    {
      name: "scope",
      value: "paths",
      repeatable: true,
      summary: "the paths that it may touch, by commas; may stand again",
    },
    { name: "profile", value: "name", summary: "how it is done; the policy's default when not given" },
    { name: "owner", value: "who", summary: "who is responsible; $USER when not given" },
  ],
  notes: [
    "15 while a task is active here. The task before it is archived; what other worktrees claim is shown.",
  ],
  examples: [
    { command: 'majordomus start "split the parser" --scope src/parser,test/parser', summary: "begin it" },
  ],
  run: async (invocation) => {
    const { runStart } = await import("../actions/work.ts");
    const { scope, profile, owner } = invocation.options;
    return runStart(invocation, { task: invocation.arguments.task, scope: scope ?? [], profile, owner });
  },
});

const checkpoint = defineCommand({
  path: ["checkpoint"],
  summary: "note where the work stands; the body comes on standard input",
  options: [
    { name: "derive", summary: "make the body from git and the ledger", without: ["show", "list"] },
    { name: "show", summary: "show the one that resolves here", without: ["list"] },
    { name: "list", summary: "list those of this branch, newest first" },
    PATH,
    ALL,
    { name: "task", value: "id", summary: "only records of this task", beside: ["show", "list", "path"] },
  ],
  notes: ["An empty body writes no file and only moves the task's checkpoint time.", TYPED],
  examples: [{ command: "majordomus checkpoint < note.md", summary: "note it" }],
  run: async (invocation) => {
    const { runCheckpoint } = await import("../actions/work.ts");
    return runCheckpoint(invocation, invocation.options);
  },
});

const handover = defineCommand({
  path: ["handover"],
  summary: "hand the work over; the body comes on standard input",
  options: [
    {
      name: "derive",
      summary: "make the body from git, the ledger and the stores",
      without: ["resolve", "list"],
    },
    { name: "close", summary: "the active task becomes handed_over", without: [...READING, "no-task"] },
    { name: "no-task", summary: "outside any task", without: READING },
    { name: "resolve", summary: "show the one that this worktree goes on from", without: ["list"] },
    { name: "list", summary: "list those of this branch, newest first" },
    PATH,
    ALL,
    { name: "task", value: "id", summary: "only records of this task", beside: READING },
  ],
  notes: [
    "The body needs the policy's sections as level-one headings: # Objective, # Current State, # Next Action.",
    TYPED,
  ],
  examples: [
    { command: "majordomus handover --close < handover.md", summary: "hand over and close the task" },
    { command: "majordomus handover --resolve", summary: "what was handed over to this worktree" },
  ],
  run: async (invocation) => {
    const { runHandover } = await import("../actions/work.ts");
    return runHandover(invocation, invocation.options);
  },
});

export const workCommands: readonly CommandDeclaration[] = [start, checkpoint, handover];
