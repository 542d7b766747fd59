import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const NAMED = { name: "capsule", required: true, summary: "its id, or its file's name" } as const;

const list = defineCommand({
  path: ["capsule", "list"],
  summary: "every capsule on disk, with the selector's verdict",
  run: async (invocation) => {
    const { listCapsules } = await import("../actions/capsule.ts");
    return listCapsules(invocation);
  },
});

const select = defineCommand({
  path: ["capsule", "select"],
  summary: "what a clear would resume now, and why nothing else; changes nothing",
  run: async (invocation) => {
    const { selectCapsule } = await import("../actions/capsule.ts");
    return selectCapsule(invocation);
  },
});

const show = defineCommand({
  path: ["capsule", "show"],
  summary: "one capsule: verdict, problems, text",
  arguments: [NAMED],
  run: async (invocation) => {
    const { showCapsule } = await import("../actions/capsule.ts");
    return showCapsule(invocation, invocation.arguments.capsule);
  },
});

const validate = defineCommand({
  path: ["capsule", "validate"],
  summary: "what the validator says; 10 when a capsule fails",
  arguments: [
    {
      name: "capsule",
      variadic: true,
      summary: "ids or names, or - for a text on standard input; all that are not spent when none is given",
    },
  ],
  run: async (invocation) => {
    const { validateCapsules } = await import("../actions/capsule.ts");
    return validateCapsules(invocation, invocation.arguments.capsule);
  },
});

const write = defineCommand({
  path: ["capsule", "write"],
  summary: "write the capsule on standard input under the name of its id; 10 when it would be refused",
  run: async (invocation) => {
    const { writeCapsule } = await import("../actions/capsule.ts");
    return writeCapsule(invocation);
  },
});

const resolve = defineCommand({
  path: ["capsule", "resolve"],
  summary: "mark a capsule as finished",
  arguments: [NAMED],
  run: async (invocation) => {
    const { settleCapsule } = await import("../actions/capsule.ts");
    return settleCapsule(invocation, invocation.arguments.capsule, "resolved");
  },
});

const abandon = defineCommand({
  path: ["capsule", "abandon"],
  summary: "mark a capsule as given up",
  arguments: [NAMED],
  run: async (invocation) => {
    const { settleCapsule } = await import("../actions/capsule.ts");
    return settleCapsule(invocation, invocation.arguments.capsule, "abandoned");
  },
});

const compact = defineCommand({
  path: ["capsule", "compact"],
  summary: "put the three oldest links of a chain of five or more into one summary; deletes nothing",
  arguments: [{ ...NAMED, summary: "the head of the chain: its id, or its file's name" }],
  run: async (invocation) => {
    const { compactChain } = await import("../actions/capsule.ts");
    return compactChain(invocation, invocation.arguments.capsule);
  },
});

const point = defineCommand({
  path: ["capsule", "point"],
  summary: "note a capsule in BODY_STATE.json, for programs that look there; 1 when it is refused",
  arguments: [{ ...NAMED, summary: "a path, or its id, or its file's name" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { capsulePoint } = await import("../../core/capabilities/capsule.ts");
    const { output, json, directory } = invocation;
    const answer = await ask(invocation, capsulePoint, { capsule: invocation.arguments.capsule, directory });
    if (json) output.json(answer);
    else if (answer.state === "refused") output.warn(`${answer.name}: ${answer.reason ?? "refused"}`);
    else output.line(`pointed ${answer.name}`);
    // The original's status for a pointer that it refuses.
    return answer.state === "refused" ? 1 : EXIT.ok;
  },
});

/** A test's lever in an operator's environment diverts real work: whatever a command does, that is said first. */
function sayingDiversion(command: CommandDeclaration): CommandDeclaration {
  return {
    ...command,
    run: async (context, values) => {
      const { installBaseOf } = await import("../../core/capsule/install-root.ts");
      const { base, diverted } = installBaseOf(context.surroundings.environment, context.directory);
      if (diverted)
        context.output.warn(`AIGENT_STATE_HOME_DIR is set: memory is in ${base}, not in this repository`);
      return command.run(context, values);
    },
  };
}

const commands: readonly CommandDeclaration[] = [
  list,
  select,
  show,
  validate,
  write,
  resolve,
  abandon,
  compact,
  point,
];
export const capsuleCommands = commands.map(sayingDiversion);
