import { join } from "node:path";
import { newTaskId } from "../../core/base/id.ts";
import type { Payload } from "../../core/ledger/line.ts";
import { openPorcelain } from "../../core/git/porcelain.ts";
import type { Stage } from "./stage.ts";
import { AUTHOR, LATER, SITTINGS } from "./story.ts";
import type { Sitting } from "./story.ts";

const HOUR = 3_600_000;
const CLOSED_SITTINGS = 18;
/** Small steps of work before something is settled; they make up most of a real ledger. */
const STEPS_PER_SITTING = 90;

interface Step {
  event: string;
  payload: Payload;
}

function decided(decision: string, task: string): Step {
  return { event: "decision.recorded", payload: { task_id: task, decision } };
}

function asked(question: string, task: string, answer?: string): Step[] {
  const opened: Step = { event: "question.opened", payload: { task_id: task, question } };
  if (answer === undefined) return [opened];
  return [opened, { event: "question.resolved", payload: { task_id: task, question, answer } }];
}

/** What a sitting settled: its own decisions when it is told first, something smaller when it comes again. */
function settled(sitting: Sitting, number: number, task: string): Step[] {
  const later = LATER[number - SITTINGS.length];
  if (later !== undefined) {
    return "decision" in later ? [decided(later.decision, task)] : asked(later.question, task, later.answer);
  }
  if (number >= SITTINGS.length) return [];
  return [
    ...sitting.decisions.map((decision) => decided(decision, task)),
    ...sitting.questions.flatMap(({ question, answer }) => asked(question, task, answer)),
  ];
}

function linesOf(sitting: Sitting, number: number, task: string): Step[] {
  const steps = Array.from({ length: STEPS_PER_SITTING }, (): Step => ({
    event: "task.checkpoint",
    payload: { task_id: task },
  }));
  return [
    {
      event: "task.started",
      payload: { task_id: task, profile: "implementation", owner: AUTHOR.name, scope: ["src"] },
    },
    ...steps,
    ...settled(sitting, number, task),
    {
      event: "task.finished",
      payload: { task_id: task, outcome: "completed", contract: { scope: "pass", note: "pass" } },
    },
  ];
}

/** The days before today: sittings that were opened, worked and closed in the main worktree. */
export async function playPast(
  stage: Stage,
  root: string,
  begin: number,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const git = openPorcelain(root, stage.surroundings.environment);
  for (let number = 0; number < CLOSED_SITTINGS; number += 1) {
    progress(number, CLOSED_SITTINGS);
    const sitting = SITTINGS[number % SITTINGS.length];
    if (sitting === undefined) break;
    const session = `demo-${String(number + 1).padStart(4, "0")}`;
    stage.clock.set(begin + number * 6 * HOUR);
    await stage.fire({ kind: "start", name: "SessionStart", source: "startup", cwd: root, session });
    await stage.fire({ kind: "prompt", name: "UserPromptSubmit", cwd: root, session });
    await stage.record(
      root,
      session,
      linesOf(sitting, number, newTaskId(stage.clock, stage.surroundings.random)),
    );
    if (sitting.commit !== undefined && number % 2 === 0) {
      await git.commitFiles({
        files: { [join("notes", `${session}.md`)]: `# ${sitting.title}\n` },
        message: sitting.commit,
        at: stage.clock.now(),
        author: AUTHOR,
      });
    }
    await stage.fire({ kind: "stop", name: "Stop", cwd: root, session });
    const interrupted = number % 7 === 6;
    await stage.fire({
      kind: "end",
      name: "SessionEnd",
      cwd: root,
      session,
      reason: interrupted ? "other" : "prompt_input_exit",
      closes: !interrupted,
    });
  }
  // A person commits the records now and then; those of today are still to come.
  await git.run(["add", "-A", ".ai/repo"]);
  await git.run([
    "-c",
    `user.name=${AUTHOR.name}`,
    "-c",
    `user.email=${AUTHOR.email}`,
    "commit",
    "-q",
    "-m",
    "Keep the records of the week",
  ]);
}
