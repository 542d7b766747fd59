import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { listLocks, stuckReason } from "../../fs/lock-standing.ts";
import type { Finding } from "../../labels/terms.ts";
import { readTaskHere } from "../../records/task.ts";
import { judgeDecisions } from "../judge-decisions.ts";
import { judgeBlockers, judgeQuestionForm, readQuestionIndex } from "../judge-questions.ts";
import { judgement } from "../judgement.ts";
import { showCommand } from "../../fs/show-command.ts";
import { shellWord } from "../../text/shell-word.ts";

function judgeTask(checkout: Checkout): Finding {
  const here = readTaskHere(checkout);
  switch (here.kind) {
    case "none":
      return judgement("OK", "state", "current.yaml", "no task");
    case "invalid":
      return judgement("FAIL", "state", "current.yaml", here.reason, "majordomus check");
    case "foreign":
      return judgement(
        "INFO",
        "state",
        here.task.id,
        `belongs to another checkout, ${here.task.worktree}; nothing is enforced`,
        "majordomus check",
      );
    case "own":
      return judgement("OK", "state", here.task.id, `is ${here.task.outcome}`);
  }
}

/** Locks of an unknown holder: everybody waits for them in vain until a person removes them. */
function judgeLocks(checkout: Checkout): Finding[] {
  const { layout, common, clock, root } = checkout;
  return [layout.locks, common.locks]
    .flatMap((directory) => listLocks(directory, clock.now()))
    .flatMap(({ path, standing }) => {
      const reason = stuckReason(standing);
      if (reason === undefined) return [];
      const shown = shownPath(root, path);
      const message = `${reason}; \`majordomus recover orphans\` can remove it`;
      return [judgement("WARN", "locks", shown, message, `${showCommand(path)} ${shellWord(shown)}`)];
    });
}

/** What this checkout works on: task, questions, decisions, and the locks around them. */
export function judgeState(checkout: Checkout): Finding[] {
  const questions = readQuestionIndex(checkout);
  return [
    judgeTask(checkout),
    ...judgeQuestionForm("FAIL", questions),
    ...judgeBlockers(questions, undefined).filter(({ level }) => level !== "OK"),
    ...judgeDecisions(checkout),
    ...judgeLocks(checkout),
  ];
}
