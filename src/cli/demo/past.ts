import { join } from "node:path";
import { newTaskId } from "../../core/base/id.ts";
import type { Payload } from "../../core/ledger/line.ts";
import { openPorcelain } from "../../core/git/porcelain.ts";
import type { Stage } from "./stage.ts";
import { AUTHOR, DETAILS, SITTINGS } from "./story.ts";
import type { Sitting } from "./story.ts";

const HOUR = 3_600_000;
const CLOSED_SITTINGS = 18;
/** Small steps of work between two decisions; they make up most of a real ledger. */
const STEPS_PER_SITTING = 90;

/** A small step: mostly a checkpoint, now and then a question that was answered at once or a decision of detail. */
function stepLines(number: number, task: string): { event: string; payload: Payload }[] {
  const detail = DETAILS[number % DETAILS.length] ?? "";
  if (number % 11 === 7)
    return [{ event: "decision.recorded", payload: { task_id: task, decision: `${detail}, kept` } }];
  if (number % 17 === 9) {
    const question = `${detail}: now or later?`;
    return [
      { event: "question.opened", payload: { task_id: task, question } },
      { event: "question.resolved", payload: { task_id: task, question, answer: "Later" } },
    ];
  }
  return [{ event: "task.checkpoint", payload: { task_id: task } }];
}

function linesOf(sitting: Sitting, task: string): { event: string; payload: Payload }[] {
  const begin: { event: string; payload: Payload } = {
    event: "task.started",
    payload: { task_id: task, profile: "implementation", owner: AUTHOR.name, scope: ["src"] },
  };
  const steps = Array.from({ length: STEPS_PER_SITTING }, (_, number) => stepLines(number, task)).flat();
  const decisions = sitting.decisions.map((decision) => ({
    event: "decision.recorded",
    payload: { task_id: task, decision },
  }));
  const questions = sitting.questions.flatMap(({ question, answer }) => [
    { event: "question.opened", payload: { task_id: task, question } },
    ...(answer === undefined
      ? []
      : [{ event: "question.resolved", payload: { task_id: task, question, answer } }]),
  ]);
  const finished: { event: string; payload: Payload } = {
    event: "task.finished",
    payload: { task_id: task, outcome: "completed", contract: { scope: "pass", note: "pass" } },
  };
  return [begin, ...steps, ...decisions, ...questions, finished];
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
    await stage.record(root, session, linesOf(sitting, newTaskId(stage.clock, stage.surroundings.random)));
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
