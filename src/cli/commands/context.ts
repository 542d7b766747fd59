import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const context = defineCommand({
  path: ["context"],
  summary: "what a worker needs to go on, within a budget of lines; 10 when it does not fit",
  options: [
    {
      name: "budget-lines",
      value: "n",
      integer: { minimum: 1, maximum: 100_000 },
      summary: "in place of the policy's context.builder_budget_lines",
    },
    {
      name: "for",
      value: "provider",
      summary: "name the AI tool that it is for, and the file it always loads",
    },
    { name: "prompt", value: "name", summary: "add this prompt, filled, at the end" },
  ],
  notes: ["Writes nothing. What was left out stands under EXCLUDED, each with its reason."],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { contextBuild } = await import("../../core/capabilities/context.ts");
    const { options, output, json } = invocation;
    const answer = await ask(invocation, contextBuild, {
      budget_lines: options["budget-lines"],
      provider: options.for,
      prompt: options.prompt,
    });
    const { text, over_budget: over, ...document } = answer;
    if (json) output.json(document);
    else output.block(text.trimEnd());
    return over ? EXIT.finding : EXIT.ok;
  },
});

const note = defineCommand({
  path: ["session", "note"],
  summary: "append a note to the working context of the open episode",
  arguments: [{ name: "text", variadic: true, summary: "the note; standard input's when not given" }],
  run: async (invocation) => {
    const { openHere, askIn } = await import("../ask.ts");
    const { withAuthoredBody } = await import("../authored-body.ts");
    const { sessionNote } = await import("../../core/capabilities/context.ts");
    const { output, json } = invocation;
    const given = (invocation.arguments.text ?? []).join(" ");
    const checkout = await openHere(invocation);
    const append = (text: string | undefined) => askIn(checkout, sessionNote, { note: text ?? "" });
    const request = { name: "note", template: "", command: "majordomus session note" };
    const answer = given === "" ? await withAuthoredBody(invocation, request, append) : await append(given);
    if (json) output.json(answer);
    else output.line(answer.path);
    return EXIT.ok;
  },
});

export const contextCommands: readonly CommandDeclaration[] = [context, note];
