import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const NAME = { name: "name", required: true, summary: "the prompt's name: its file without .md" } as const;

const list = defineCommand({
  path: ["prompt", "list"],
  summary: "the layer's prompts",
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { promptsList } = await import("../../core/capabilities/prompts.ts");
    const { output, json } = invocation;
    const answer = await ask(invocation, promptsList, {});
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    const width = Math.max(0, ...answer.prompts.map(({ name }) => name.length));
    for (const { name, description, faults } of answer.prompts) {
      output.line(`${name.padEnd(width)}  ${description}`.trimEnd());
      for (const fault of faults) output.line(`${" ".repeat(width)}  cannot be rendered: ${fault}`);
    }
    for (const { path, reason } of answer.skipped) output.warn(`${path} is no prompt: ${reason}`);
    return EXIT.ok;
  },
});

const show = defineCommand({
  path: ["prompt", "show"],
  summary: "a prompt as it stands, tokens and all",
  arguments: [NAME],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { promptsShow } = await import("../../core/capabilities/prompts.ts");
    const answer = await ask(invocation, promptsShow, { name: invocation.arguments.name });
    if (invocation.json) invocation.output.json(answer);
    else invocation.output.block(answer.text.trimEnd());
    return EXIT.ok;
  },
});

const render = defineCommand({
  path: ["prompt", "render"],
  summary: "a prompt with its tokens filled; 10 for a token that nothing fills",
  arguments: [NAME],
  examples: [
    { command: "majordomus prompt render continue", summary: "what the next worker is to be given" },
  ],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { promptsRender } = await import("../../core/capabilities/prompts.ts");
    const answer = await ask(invocation, promptsRender, { name: invocation.arguments.name });
    if (invocation.json) invocation.output.json(answer);
    else invocation.output.block(answer.text.trimEnd());
    return EXIT.ok;
  },
});

export const promptCommands: readonly CommandDeclaration[] = [list, show, render];
