import * as z from "zod/mini";
import { judgeContinuity } from "../continuity/judge.ts";
import { judgeMemory, watchMemory } from "../capsule/judge-memory.ts";
import { FindingsAnswer } from "../health/answers.ts";
import { attestFindings } from "../health/doctor/attest.ts";
import { DOCTOR_PART_NAMES } from "../health/doctor/part-names.ts";
import type { DoctorPartName } from "../health/doctor/part-names.ts";
import { DOCTOR_PARTS } from "../health/doctor/parts.ts";
import type { DoctorPart, DoctorRequest } from "../health/doctor/parts.ts";
import { watchCheckout } from "../health/watch.ts";
import { judgeIntegrity, judgeKnowledge, judgeWriter } from "../knowledge/judgements.ts";
import type { Finding } from "../labels/terms.ts";
import { reasonOf } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { CANCELLED, errorOfAnswer } from "./answer.ts";
import { defineCapability } from "./capability.ts";
import type { CapabilityContext } from "./capability.ts";
import { ownPaths } from "./own-paths.ts";

const DoctorInput = z.strictObject({
  /** The program's launcher, absolute, where the surface knows it. */
  script: z.optional(z.string()),
});

/** Every part, those of other domains among them: health may not know them. */
const PARTS: Readonly<Record<DoctorPartName, DoctorPart>> = {
  ...DOCTOR_PARTS,
  knowledge: { title: "Whether knowledge is whole and its queue looked after", judge: judgeKnowledge },
  capsules: {
    title: "Whether memory can be used, and what was written there be resumed",
    judge: judgeMemory,
  },
  continuity: { title: "Whether what travels between machines is whole", judge: judgeContinuity },
};

/** The capability of one part: what stands alone can be asked alone, and beside the others. */
function partCapability(name: DoctorPartName) {
  const part = PARTS[name];
  return defineCapability({
    id: `doctor.${name}`,
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

const doctorParts = DOCTOR_PART_NAMES.map(partCapability);

/** A part that cannot judge has found something: that it cannot. The others go on. */
async function judgePart(
  name: DoctorPartName,
  checkout: Checkout,
  request: DoctorRequest,
): Promise<Finding[]> {
  try {
    return await PARTS[name].judge(checkout, request);
  } catch (error) {
    const reproduce = `majordomus run doctor.${name}`;
    return [{ level: "FAIL", category: name, subject: name, message: reasonOf(error), reproduce }];
  }
}

async function judgeAll(
  { checkout, signal, progress }: CapabilityContext,
  request: DoctorRequest,
  names: readonly DoctorPartName[] = DOCTOR_PART_NAMES,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [done, name] of names.entries()) {
    if (signal.aborted) break;
    progress({ done, total: names.length, what: name });
    findings.push(...(await judgePart(name, checkout, request)));
  }
  return findings;
}

const doctorAll = defineCapability({
  id: "doctor",
  title: "Everything that the doctor judges, one part after the other",
  effect: "read",
  weight: "heavy",
  input: z.extend(DoctorInput, {
    /** These parts alone, in this order. */
    only: z.optional(z.array(z.enum(DOCTOR_PART_NAMES))),
  }),
  output: FindingsAnswer,
  run: async (context, { only, ...request }) => ({
    schema: 1 as const,
    findings: await judgeAll(context, request, only),
  }),
});

export const doctorAttest = defineCapability({
  id: "doctor.attest",
  title: "Everything that the doctor judges, kept as evidence of this moment",
  effect: "write",
  weight: "heavy",
  input: z.extend(DoctorInput, {
    /** What was found just now, where a surface shared the parts out; judged here when absent. */
    findings: z.optional(FindingsAnswer.shape.findings),
  }),
  output: z.extend(FindingsAnswer, {
    /** Where it is kept, relative to the repository. */
    evidence: z.string(),
  }),
  run: async (context, { findings: found, ...request }) => {
    const findings = found ?? (await judgeAll(context, request));
    // Half of the findings would be evidence of what is not so.
    if (context.signal.aborted) throw errorOfAnswer(CANCELLED.error);
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
    const knowledge = (): Finding[] =>
      [...judgeIntegrity(checkout), ...judgeWriter(checkout)]
        .filter(({ level }) => level === "FAIL")
        .map((finding) => ({ ...finding, level: "DRIFT" as const }));
    const others = { knowledge, capsules: () => watchMemory(checkout) };
    return { schema: 1 as const, findings: await watchCheckout(checkout, ownPaths(checkout), others) };
  },
});

/** The judges, for the registry. */
export const JUDGES = [doctorAll, ...doctorParts, doctorAttest, watchRun] as const;
