import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTaskId } from "../../../src/core/base/id.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { readDecisions } from "../../../src/core/records/decisions.ts";
import { readQuestions } from "../../../src/core/records/questions.ts";
import { readTask } from "../../../src/core/records/task.ts";
import { startTask } from "../../../src/core/task/start-task.ts";
import { newPlace } from "../../support/checkout.ts";
import { FULL } from "../../support/full.ts";
import { git } from "../../support/repository.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { runWorker } from "./support/run-worker.ts";

const WORKTREES = 8;
const TASKS = FULL ? 50 : 6;
/** All of it happens in one second, so that chance alone tells ids apart; it repeats itself for certain. */
const CHANCES = String(WORKTREES * TASKS * 4);

test(
  `${WORKTREES} worktrees that make tasks, decisions and questions at once share no id, and each is seen by its siblings`,
  { timeout: 300_000 },
  async () => {
    const place = await newPlace();
    const outside = scratchDirectory();
    const names = Array.from({ length: WORKTREES }, (_, number) => `side-${number}`);
    for (const name of names) git(place.root, "worktree", "add", "-q", "-b", name, join(outside, name));
    const siblings = await Promise.all(names.map((name) => place.checkout(join(outside, name))));

    const runs = await Promise.all(
      siblings.map(({ root }, number) =>
        runWorker([root, "task", names[number] ?? "", String(TASKS)], undefined, undefined, {
          RECORD_CHANCES: CHANCES,
        }),
      ),
    );
    for (const run of runs) expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(runs.map(({ acknowledged }) => acknowledged.length)).toEqual(names.map(() => TASKS));

    const ids = siblings.map(({ layout }) => {
      const active = readTask(layout.task);
      const before = readdirSync(layout.taskArchive).map((name) => name.replace(/[.]yaml$/, ""));
      return [...before, active.ok ? active.value.id : ""];
    });
    expect(ids.flat().filter(isTaskId)).toHaveLength(WORKTREES * TASKS);
    expect(new Set(ids.flat()).size).toBe(WORKTREES * TASKS);

    for (const [number, { layout }] of siblings.entries()) {
      const made = Array.from({ length: TASKS }, (_, task) => `${names[number]} ${task}`);
      const decisions = readDecisions(layout.decisions);
      const questions = readQuestions(layout.questions);
      expect(decisions.ok && decisions.value.map(({ title }) => title)).toEqual(made);
      expect(questions.ok && questions.value.open.map(({ question }) => question)).toEqual(
        made.map((name) => `${name}?`),
      );
      // Each belongs to the task that was active when it was made: one each, none of a sibling's.
      for (const said of [decisions.ok && decisions.value, questions.ok && questions.value.open]) {
        const tasks = said === false ? [] : said.map(({ task }) => task);
        expect(tasks).toHaveLength(TASKS);
        expect(new Set(tasks)).toEqual(new Set(ids[number]));
      }
    }

    // Nothing of it is committed, and all of it is seen.
    const here = await place.checkout();
    const given = { task: "everything", scope: ["."], profile: "routine" };
    const { overlaps } = startTask(here, given, {}, new Moment(here.repository, here.head));
    expect(overlaps).toHaveLength(WORKTREES);
    expect(new Map(overlaps.map(({ worktree, task_id }) => [worktree, task_id]))).toEqual(
      new Map(siblings.map(({ root }, number) => [root, ids[number]?.at(-1)])),
    );
    expect(readFileSync(here.layout.task, "utf8")).not.toContain("side-");
  },
);
