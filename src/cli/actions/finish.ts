import { resolve } from "node:path";
import { EXIT } from "../../core/base/error.ts";
import type { ExitStatus } from "../../core/base/error.ts";
import { finishRun } from "../../core/capabilities/gate.ts";
import type { FinishAnswer, FinishOutcome } from "../../core/health/answers.ts";
import { openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { whileInterruptible } from "../interruptible.ts";
import { namedText } from "../named-text.ts";
import { readBody } from "../stdin.ts";

interface FinishOptions {
  outcome: FinishOutcome | undefined;
  "verify-command": string | undefined;
  note: string | undefined;
  check: boolean;
}

const SHOWN_LINES = 20;

async function readNote(context: CommandContext, named: string): Promise<string> {
  if (named === "-") return (await readBody(context.stdin())) ?? "";
  return namedText(resolve(context.directory, named));
}

function lastLine({ state, unmet, task_id: id, outcome }: FinishAnswer): string {
  if (state === "finished") return `finish: ${id ?? ""} ${outcome ?? ""}`;
  if (state === "refused") return `finish: refused, ${unmet} unmet`;
  return state === "nothing" ? "finish: nothing to enforce" : `finish: check, ${unmet} unmet`;
}

function show({ output, json }: CommandContext, answer: FinishAnswer): void {
  if (json) {
    output.json(answer);
    return;
  }
  output.findings(answer.findings);
  const { verify } = answer;
  if (verify !== undefined && verify.exit !== 0) {
    const printed = (verify.output ?? "").trimEnd();
    const lines = printed === "" ? ["the command printed nothing"] : printed.split("\n");
    for (const line of lines.slice(-SHOWN_LINES)) output.warn(`verify: ${line}`);
  }
  if (answer.resumed === true) output.warn("an earlier run had been stopped; it is completed now");
  if (answer.note !== undefined) output.line(`note: ${answer.note}`);
  output.line(lastLine(answer));
}

/**
 * Ends the task, or says which clauses of its contract are not met.
 *
 * @returns 10 when one is not.
 * @throws MajordomusError 12 without a task, 15 for one that is not active here.
 */
export async function runFinish(context: CommandContext, options: FinishOptions): Promise<ExitStatus> {
  const { outcome, check, note: named } = options;
  const command = options["verify-command"];
  if (command?.trim() === "") throw usageError({ message: "--verify-command is empty" });
  if (outcome === undefined && !check) {
    throw usageError({ message: "--outcome is wanted", remedy: "or --check, which only judges" });
  }
  const checkout = await openHere(context);
  const note = named === undefined ? undefined : await readNote(context, named);
  const answer = await whileInterruptible(async (signal) =>
    finishRun.run(
      { checkout, signal, progress: () => undefined },
      {
        check,
        ...(outcome === undefined ? {} : { outcome }),
        ...(command === undefined ? {} : { verify_command: command }),
        ...(note === undefined ? {} : { note }),
      },
    ),
  );
  show(context, answer);
  return answer.unmet > 0 ? EXIT.finding : EXIT.ok;
}
