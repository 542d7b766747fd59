import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { Answer, AnswerError } from "../../core/capabilities/answer.ts";
import type { Finding } from "../../core/labels/terms.ts";
import { work } from "../../workers/work.ts";
import type { CommandContext } from "../declaration.ts";
import { showFindings, statusOfFindings } from "../findings.ts";

interface Judged {
  findings: Finding[];
  evidence?: string;
}

/** Settings that cannot be followed stop every part in the same way: that is one finding. */
function settingsFault({ subject, message, remedy }: AnswerError): Finding {
  return {
    level: "FAIL",
    category: "policy",
    subject: subject ?? "policy",
    message: remedy === undefined ? message : `${message}; ${remedy}`,
    reproduce: "majordomus doctor",
  };
}

/** Who is in no repository, or in one without a layer, has nothing to be judged. */
function judgedOf(answer: Answer): Judged {
  if (answer.ok) return answer.value as Judged;
  if (answer.error.exit !== EXIT.finding) throw errorOfAnswer(answer.error);
  return { findings: [settingsFault(answer.error)] };
}

/**
 * Judges everything and prints the findings in their fixed order. In this process: to start threads takes
 * longer than a healthy repository does.
 *
 * @returns 10 when something fails.
 * @throws MajordomusError 2 outside a repository, 12 without a layer.
 */
export async function runDoctor(
  context: CommandContext,
  { attest }: { attest: boolean },
): Promise<ExitStatus> {
  const { directory, program, surroundings } = context;
  const { environment } = surroundings;
  const request = { script: program.launcher };
  const id = attest ? "doctor.attest" : "doctor";
  const judged = judgedOf(await work(directory, id, request, { environment }));
  showFindings(context, judged.findings);
  if (judged.evidence !== undefined && !context.json) context.output.line(`evidence: ${judged.evidence}`);
  return statusOfFindings(judged.findings);
}
