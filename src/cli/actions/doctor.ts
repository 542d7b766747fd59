import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { Answer, AnswerError } from "../../core/capabilities/answer.ts";
import { watchRun } from "../../core/capabilities/doctor.ts";
import { DOCTOR_PART_NAMES } from "../../core/health/doctor/part-names.ts";
import type { Finding } from "../../core/labels/terms.ts";
import { createPool } from "../../workers/pool.ts";
import type { Pool } from "../../workers/pool.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { showFindings, statusOfFindings } from "../findings.ts";

interface Judged {
  findings: Finding[];
  evidence?: string;
}

/** A part that could not judge has found something: that it could not. */
function faultOf(name: string, error: AnswerError): Finding {
  return {
    level: "FAIL",
    category: name,
    subject: error.subject ?? name,
    message: error.remedy === undefined ? error.message : `${error.message}; ${error.remedy}`,
    reproduce: "majordomus doctor",
  };
}

/** Who is in no repository, or in one without a layer, has nothing to be judged. */
function refuseWithoutLayer(answers: readonly Answer[]): void {
  for (const answer of answers) {
    if (!answer.ok && (answer.error.exit === EXIT.usage || answer.error.exit === EXIT.missing)) {
      throw errorOfAnswer(answer.error);
    }
  }
}

function findingsOf(names: readonly string[], answers: readonly Answer[]): Finding[] {
  refuseWithoutLayer(answers);
  const seen = new Set<string>();
  return answers.flatMap((answer, index): Finding[] => {
    if (answer.ok) return (answer.value as Judged).findings;
    const fault = faultOf(names[index] ?? "doctor", answer.error);
    // Settings that cannot be read stop every part in the same way: that is one finding.
    const same = `${fault.subject}\n${fault.message}`;
    if (seen.has(same)) return [];
    seen.add(same);
    return [answer.error.exit === EXIT.finding ? { ...fault, category: "policy" } : fault];
  });
}

async function judge({ directory, program }: CommandContext, pool: Pool, attest: boolean): Promise<Judged> {
  const request = { script: program.launcher };
  if (attest) {
    const answer = await pool.run(directory, "doctor.attest", request);
    if (answer.ok) return answer.value as Judged;
    return { findings: findingsOf(["doctor"], [answer]) };
  }
  const answers = await Promise.all(
    DOCTOR_PART_NAMES.map((name) => pool.run(directory, `doctor.${name}`, request)),
  );
  return { findings: findingsOf(DOCTOR_PART_NAMES, answers) };
}

/**
 * Judges everything, each part in the pool, and prints the findings in their fixed order.
 *
 * @returns 10 when something fails.
 * @throws MajordomusError 2 outside a repository, 12 without a layer.
 */
export async function runDoctor(
  context: CommandContext,
  { attest }: { attest: boolean },
): Promise<ExitStatus> {
  const pool = createPool({ entry: context.program.worker });
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

/**
 * Prints what has drifted.
 *
 * @returns 11 when something has.
 */
export async function runWatch(context: CommandContext): Promise<ExitStatus> {
  const { findings } = await ask(context, watchRun, {});
  showFindings(context, findings);
  return findings.some(({ level }) => level === "DRIFT") ? EXIT.drift : EXIT.ok;
}
