import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { Answer, AnswerError } from "../../core/capabilities/answer.ts";
import { DOCTOR_PART_NAMES } from "../../core/health/doctor/part-names.ts";
import type { DoctorPartName } from "../../core/health/doctor/part-names.ts";
import type { Finding } from "../../core/labels/terms.ts";
import { createPool } from "../../workers/pool.ts";
import type { Pool } from "../../workers/pool.ts";
import type { CommandContext } from "../declaration.ts";
import { showFindings, statusOfFindings } from "../findings.ts";

const THREADS = 2;

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

/** What every thread found, in the order of the parts. */
function gather(answers: readonly Answer[]): Judged {
  const refused = answers.find((answer) => !answer.ok);
  if (refused?.ok === false) {
    // Who is in no repository, or in one without a layer, has nothing to be judged.
    if (refused.error.exit !== EXIT.finding) throw errorOfAnswer(refused.error);
    return { findings: [settingsFault(refused.error)] };
  }
  const judged = answers.flatMap((answer) => (answer.ok ? [answer.value as Judged] : []));
  const evidence = judged.find((part) => part.evidence !== undefined)?.evidence;
  return {
    findings: judged.flatMap(({ findings }) => findings),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

/** The parts in as many runs as there are threads: each opens the checkout once. */
function shares(): DoctorPartName[][] {
  const half = Math.ceil(DOCTOR_PART_NAMES.length / THREADS);
  return [DOCTOR_PART_NAMES.slice(0, half), DOCTOR_PART_NAMES.slice(half)];
}

async function judge({ directory, program }: CommandContext, pool: Pool, attest: boolean): Promise<Judged> {
  const request = { script: program.launcher };
  const asked = shares().map((only) => pool.run(directory, "doctor", { ...request, only }));
  const judged = gather(await Promise.all(asked));
  if (!attest) return judged;
  return gather([await pool.run(directory, "doctor.attest", { ...request, findings: judged.findings })]);
}

/**
 * Judges everything, the parts shared out to the pool, and prints the findings in their fixed order.
 *
 * @returns 10 when something fails.
 * @throws MajordomusError 2 outside a repository, 12 without a layer.
 */
export async function runDoctor(
  context: CommandContext,
  { attest }: { attest: boolean },
): Promise<ExitStatus> {
  const pool = createPool({ entry: context.program.worker, threads: THREADS });
  let judged: Judged;
  try {
    judged = await judge(context, pool, attest);
  } finally {
    await pool.close();
  }
  showFindings(context, judged.findings);
  if (judged.evidence !== undefined && !context.json) context.output.line(`evidence: ${judged.evidence}`);
  return statusOfFindings(judged.findings);
}
