import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const doctor = defineCommand({
  path: ["doctor"],
  summary: "judge everything here that can be wrong; 10 when something is, with a command that shows it",
  options: [{ name: "attest", summary: "also keep the findings as evidence in .ai/local/evidence/doctor" }],
  notes: ["It changes nothing. Each finding names its subject and a command that only shows it."],
  run: async (invocation) => {
    const { runDoctor } = await import("../actions/doctor.ts");
    return runDoctor(invocation, invocation.options);
  },
});

const watch = defineCommand({
  path: ["watch"],
  summary: "what has drifted apart since it was right; 11 when something has",
  run: async (invocation) => {
    const { runWatch } = await import("../actions/watch.ts");
    return runWatch(invocation);
  },
});

export const doctorCommands: readonly CommandDeclaration[] = [doctor, watch];
