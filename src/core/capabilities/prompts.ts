import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { buildContext } from "../context/gather.ts";
import { Moment } from "../git/moment.ts";
import { profileNameOf, readProfile } from "../health/gate/profile-here.ts";
import {
  PromptInput,
  PromptRenderAnswer,
  PromptShowAnswer,
  PromptsListAnswer,
} from "../health/prompt-answers.ts";
import { describePrompts, findPrompt } from "../health/prompts/prompts-here.ts";
import { renderPrompt } from "../health/prompts/render.ts";
import { RecordShelf } from "../ledger/record-shelf.ts";
import { ownTaskOf, readTaskHere } from "../records/task.ts";
import { readRecordText } from "../records/record-file.ts";
import { defineCapability } from "./capability.ts";

export const promptsList = defineCapability({
  id: "prompts.list",
  title: "The layer's prompts, and whether each can be rendered",
  effect: "read",
  weight: "light",
  input: z.strictObject({}),
  output: PromptsListAnswer,
  run: ({ checkout }) => describePrompts(checkout),
});

export const promptsShow = defineCapability({
  id: "prompts.show",
  title: "A prompt's file as it stands, tokens and all",
  effect: "read",
  weight: "light",
  input: PromptInput,
  output: PromptShowAnswer,
  run: ({ checkout }, { name }) => {
    const { path } = findPrompt(checkout, name);
    const text = readRecordText(path);
    if (text.ok) return { schema: 1 as const, name, path: shownPath(checkout.root, path), text: text.value };
    throw new MajordomusError({
      code: "prompt.absent",
      exit: EXIT.missing,
      subject: path,
      message: text.error,
    });
  },
});

export const promptsRender = defineCapability({
  id: "prompts.render",
  title: "A prompt with its tokens filled from the state of this checkout",
  effect: "read",
  weight: "heavy",
  input: PromptInput,
  output: PromptRenderAnswer,
  run: async ({ checkout }, { name }) => {
    const prompt = findPrompt(checkout, name);
    const task = ownTaskOf(readTaskHere(checkout));
    const profile = await readProfile(checkout, profileNameOf(checkout, task?.profile));
    const text = renderPrompt(
      checkout,
      prompt,
      () =>
        buildContext(checkout, {
          moment: new Moment(checkout.repository, checkout.head),
          shelf: new RecordShelf(checkout),
          profile: profile.ok ? profile.value : undefined,
        }).text,
    );
    return {
      schema: 1 as const,
      name,
      ...(prompt.profile === undefined ? {} : { profile: prompt.profile }),
      text,
    };
  },
});
