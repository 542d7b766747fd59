import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const resume = defineCommand({
  path: ["resume"],
  summary:
    "the resume procedure, with the newest capsule or one that is named; spends nothing unless asked to",
  options: [
    { name: "capsule", value: "id", summary: "this capsule, by its id or its file's name" },
    { name: "spend", summary: "mark it as resumed, as a clear does; of several at once, one gets it" },
  ],
  run: async (invocation) => {
    const { askIn, openHere } = await import("../ask.ts");
    const { INTERRUPTED, leavableBefore } = await import("../interruptible.ts");
    const { Amends } = await import("../unheard.ts");
    const { capsuleResume } = await import("../../core/capabilities/capsule.ts");
    const { options, output, json } = invocation;
    const amends = new Amends();
    const wish = { capsule: options.capsule, spend: options.spend };
    const status = await leavableBefore(
      () => openHere(invocation, capsuleResume.effect),
      async (checkout) => {
        const answer = await askIn(checkout, capsuleResume, wish, amends);
        if (json) output.json(answer);
        // Composed to be harmless, and a declared line in it is to be sent as it stands.
        else output.verbatim(`${answer.procedure.trimEnd()}\n`);
        const settled = amends.settle(output, checkout);
        const failed = answer.memory_root_error !== undefined || answer.not_spent !== undefined;
        return failed ? EXIT.finding : settled;
      },
    );
    return status ?? INTERRUPTED;
  },
});

export const resumeCommands: readonly CommandDeclaration[] = [resume];
