import { EXIT } from "../../core/base/error.ts";
import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { AnswerError } from "../../core/capabilities/answer.ts";
import type { Finding } from "../../core/labels/terms.ts";
import { work } from "../../workers/work.ts";
import { runInPool } from "../ask-pool.ts";
import type { CommandContext } from "../declaration.ts";
import { showFindings, statusOfFindings } from "../findings.ts";
import { INTERRUPTED } from "../interruptible.ts";

// Named, not imported: to load every judge is for the thread alone.
const JUDGING = { id: "doctor", effect: "read" } as const;

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

/** Keeps what was found as evidence. In this process: who interrupts a judging has kept none of it. */
async function attested({ directory, surroundings }: CommandContext, { findings }: Judged): Promise<Judged> {
  const { environment } = surroundings;
  const answer = await work(directory, "doctor.attest", { findings }, { environment });
  if (!answer.ok) throw errorOfAnswer(answer.error);
  return answer.value as Judged;
}

/**
 * Judges everything in the pool and prints the findings in their fixed order.
 *
 * @returns 10 when something fails; 130 when it was interrupted, and nothing is said of what was judged till then.
 * @throws MajordomusError 2 outside a repository, 12 without a layer.
 */
export async function runDoctor(context: CommandContext, { attest }: { attest: boolean }): Promise<number> {
  const { json, output, program } = context;
  const answer = await runInPool(context, JUDGING, { script: program.launcher }, "part(s)");
  if (answer === undefined) {
    output.warn("interrupted; nothing was judged to its end");
    return INTERRUPTED;
  }
  if (!answer.ok && answer.error.exit !== EXIT.finding) throw errorOfAnswer(answer.error);
  const found = answer.ok ? (answer.value as Judged) : { findings: [settingsFault(answer.error)] };
  const { findings, evidence } = attest && answer.ok ? await attested(context, found) : found;
  showFindings(context, findings);
  if (evidence !== undefined && !json) output.line(`evidence: ${evidence}`);
  return statusOfFindings(findings);
}
