import { join } from "node:path";
import { newTaskId } from "../../core/base/id.ts";
import type { Payload } from "../../core/ledger/line.ts";
import { openPorcelain } from "../../core/git/porcelain.ts";
import type { Stage } from "./stage.ts";
import { AUTHOR, SITTINGS } from "./story.ts";
import type { Sitting } from "./story.ts";

const HOUR = 3_600_000;
const CLOSED_SITTINGS = 24;
/** Small steps of work between two decisions; they make up most of a real ledger. */
const CHECKPOINTS_PER_SITTING = 60;

function linesOf(sitting: Sitting, task: string): { event: string; payload: Payload }[] {
  const lines: { event: string; payload: Payload }[] = [
    {
      event: "task.started",
      payload: { task_id: task, profile: "implementation", owner: AUTHOR.name, scope: ["src"] },
    },
  ];
  for (let number = 0; number < CHECKPOINTS_PER_SITTING; number += 1) {
    lines.push({ event: "task.checkpoint", payload: { task_id: task } });
  }
  for (const decision of sitting.decisions) {
    lines.push({ event: "decision.recorded", payload: { task_id: task, decision } });
  }
  for (const { question, answer } of sitting.questions) {
    lines.push({ event: "question.opened", payload: { task_id: task, question } });
    if (answer !== undefined)
      lines.push({ event: "question.resolved", payload: { task_id: task, question, answer } });
  }
  return lines;
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
    stage.clock.set(begin + number * 4 * HOUR);
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
}
