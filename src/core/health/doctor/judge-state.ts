import { join } from "node:path";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { readHolder } from "../../fs/lock-file.ts";
import { judgeProcess, ownProcess } from "../../fs/process.ts";
import { listDirectory } from "../../fs/read.ts";
import type { Finding } from "../../labels/terms.ts";
import { readTaskHere } from "../gate/task-here.ts";
import { judgeDecisions } from "../judge-decisions.ts";
import { judgeBlockers, judgeQuestionForm, readQuestionIndex } from "../judge-questions.ts";
import { judgement } from "../judgement.ts";
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

/**
 * Why a lock will neither be released nor taken over by anybody but a person; undefined for one that will: a
 * holder of this boot is judged by whoever waits for it.
 */
function staleReason(path: string): string | undefined {
  const holder = readHolder(path);
  if (holder === "absent") return undefined;
  if (holder === "unreadable") return "is no lock of ours";
  if (judgeProcess(holder) !== "unknown") return undefined;
  const own = ownProcess();
  const earlier = holder.boot !== own.boot && holder.namespace === own.namespace;
  return earlier ? `was left by process ${holder.pid} before this machine's last start` : undefined;
}

/** Locks of an earlier boot: everybody waits for them in vain until a person removes them. */
function judgeLocks(checkout: Checkout): Finding[] {
  return [checkout.layout.locks, checkout.common.locks].flatMap((directory) =>
    listDirectory(directory)
      .filter((name) => !name.startsWith(".tmp."))
      .flatMap((name) => {
        const path = join(directory, name);
        const reason = staleReason(path);
        const shown = shownPath(checkout.root, path);
        return reason === undefined
          ? []
          : [
              judgement(
                "WARN",
                "locks",
                shown,
                `${reason}; \`majordomus recover orphans\` can remove it`,
                `cat ${shellWord(shown)}`,
              ),
            ];
      }),
  );
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
