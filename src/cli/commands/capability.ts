import { EXIT } from "../../core/base/error.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const run = defineCommand({
  path: ["run"],
  summary: "ask one capability, and print its answer as JSON",
  arguments: [{ name: "capability", required: true, summary: "an id that `majordomus capabilities` lists" }],
  options: [
    {
      name: "input",
      value: "json",
      default: "{}",
      summary: "its input, or - to read it from standard input",
    },
  ],
  notes: [
    "Ends with 0 once it is answered, whatever the answer says, and with the status of the error where it is not.",
  ],
  examples: [
    { command: "majordomus run lifecycle.episodes", summary: "every open episode" },
    {
      command: `majordomus run history.query --input '{"limit": 5}'`,
      summary: "the newest five ledger lines",
    },
  ],
  run: async (invocation) => {
    const { openHere } = await import("../ask.ts");
    const { usageError } = await import("../failure.ts");
    const { Amends } = await import("../unheard.ts");
    const { readBody } = await import("../stdin.ts");
    const { INTERRUPTED, leavableBefore } = await import("../interruptible.ts");
    const { capsuleResume } = await import("../../core/capabilities/capsule.ts");
    const { locateCapability } = await import("../../core/capabilities/locate.ts");
    const { runCapability } = await import("../../core/capabilities/run.ts");
    const { options, output, stdin } = invocation;
    const id = invocation.arguments.capability;
    await locateCapability(id);
    const text = options.input === "-" ? await readBody(stdin()) : options.input;
    let input: unknown;
    try {
      input = JSON.parse(text ?? "");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw usageError({ subject: "--input", message: `is not JSON: ${reason}` });
    }
    const amends = new Amends();
    const act = async (checkout: Checkout): Promise<number> => {
      output.json(await runCapability(checkout, id, input, amends));
      return amends.settle(output, checkout);
    };
    if (id !== capsuleResume.id) return act(await openHere(invocation));
    return (await leavableBefore(() => openHere(invocation), act)) ?? INTERRUPTED;
  },
});

const capabilities = defineCommand({
  path: ["capabilities"],
  summary: "everything that can be asked or done, with its input",
  run: async ({ output, json }) => {
    const { describeCapabilities } = await import("../actions/describe-capabilities.ts");
    const described = describeCapabilities();
    if (json) {
      output.json({ schema: 1, capabilities: described });
      return EXIT.ok;
    }
    const width = Math.max(...described.map(({ id }) => id.length));
    for (const { id, effect, title } of described)
      output.line(`${id.padEnd(width)}  ${effect.padEnd(5)}  ${title}`);
    return EXIT.ok;
  },
});

export const capabilityCommands: readonly CommandDeclaration[] = [run, capabilities];
