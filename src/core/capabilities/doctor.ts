import * as z from "zod/mini";
import { FindingsAnswer } from "../health/answers.ts";
import { attestFindings } from "../health/doctor/attest.ts";
import { DOCTOR_PARTS } from "../health/doctor/parts.ts";
import type { DoctorPart, DoctorRequest } from "../health/doctor/parts.ts";
import { watchCheckout } from "../health/watch.ts";
import { judgeKnowledge, judgeWriter } from "../knowledge/judgements.ts";
import type { Finding } from "../labels/terms.ts";
import { defineCapability } from "./capability.ts";
import type { CapabilityContext } from "./capability.ts";

const DoctorInput = z.strictObject({
  /** The program's launcher, absolute, where the surface knows it. */
  script: z.optional(z.string()),
});

/** The capability of one part: what stands alone can be asked alone, and beside the others. */
function partCapability(part: DoctorPart) {
  return defineCapability({
    id: `doctor.${part.name}`,
    title: part.title,
    effect: "read",
    weight: "light",
    input: DoctorInput,
    output: FindingsAnswer,
    run: async ({ checkout }, request) => ({
      schema: 1 as const,
      findings: await part.judge(checkout, request),
    }),
  });
}

/** The knowledge store is judged by its own domain, which health may not know. */
const PARTS: readonly DoctorPart[] = DOCTOR_PARTS.map((part: DoctorPart) =>
  part.name === "knowledge" ? { ...part, judge: judgeKnowledge } : part,
);

const doctorParts = PARTS.map(partCapability);

async function judgeAll(
  { checkout, signal, progress }: CapabilityContext,
  request: DoctorRequest,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [done, { name, judge }] of PARTS.entries()) {
    if (signal.aborted) break;
    progress({ done, total: PARTS.length, what: name });
    findings.push(...(await judge(checkout, request)));
  }
  return findings;
}

const doctorAll = defineCapability({
  id: "doctor",
  title: "Everything that the doctor judges, one part after the other",
  effect: "read",
  weight: "heavy",
  input: DoctorInput,
  output: FindingsAnswer,
  run: async (context, request) => ({ schema: 1 as const, findings: await judgeAll(context, request) }),
});

export const doctorAttest = defineCapability({
  id: "doctor.attest",
  title: "Everything that the doctor judges, kept as evidence of this moment",
  effect: "write",
  weight: "heavy",
  input: DoctorInput,
  output: z.extend(FindingsAnswer, {
    /** Where it is kept, relative to the repository. */
    evidence: z.string(),
  }),
  run: async (context, request) => {
    const findings = await judgeAll(context, request);
    return { schema: 1 as const, findings, evidence: attestFindings(context.checkout, findings) };
  },
});

export const watchRun = defineCapability({
  id: "watch.run",
  title: "What has drifted apart since it was right",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: FindingsAnswer,
  run: async ({ checkout }) => {
    const writer = judgeWriter(checkout)
      .filter(({ level }) => level === "FAIL")
      .map((finding) => ({ ...finding, level: "DRIFT" as const }));
    return { schema: 1 as const, findings: [...(await watchCheckout(checkout)), ...writer] };
  },
});

/** The judges, for the registry. */
export const JUDGES = [doctorAll, ...doctorParts, doctorAttest, watchRun] as const;
