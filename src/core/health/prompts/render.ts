import { EXIT, MajordomusError } from "../../base/error.ts";
import { formatTimestamp } from "../../base/time.ts";
import { headText } from "../../checkout/checkout.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { readWorkingTree } from "../../git/status.ts";
import { blockTokenOf, fillInline, judgeTokens } from "../../records/prompt-file.ts";
import type { InlineToken, PromptFile } from "../../records/prompt-file.ts";
import type { Task } from "../../records/task.ts";
import { clip, inert } from "../../text/inert.ts";
import { profileNameOf } from "../gate/profile-here.ts";
import { ownTaskOf, readTaskHere, taskDoubt } from "../../records/task.ts";
import { renderBlock } from "./blocks.ts";

const VALUE_CHARACTERS = 2000;
const NONE = "none";

/** What a token says while the task record cannot be read; undefined for one that says nothing of the task. */
function unknown(token: InlineToken, doubt: string | undefined): string | undefined {
  if (doubt === undefined) return undefined;
  if (token === "TASK") return `unknown (${doubt})`;
  return token === "TASK_ID" || token === "SCOPE" ? "unknown" : undefined;
}

/** What fills each inline token; asked only for those that a prompt has. */
const INLINE: Record<InlineToken, (checkout: Checkout, task: Task | undefined) => string> = {
  TASK: (_, task) => task?.task ?? "no task",
  TASK_ID: (_, task) => task?.id ?? NONE,
  PROFILE: (checkout, task) => profileNameOf(checkout, task?.profile),
  SCOPE: (_, task) => (task === undefined || task.scope.length === 0 ? NONE : task.scope.join(", ")),
  OWNER: (checkout, task) => task?.owner ?? checkout.owner,
  BRANCH: ({ branch }) => branch,
  HEAD: (checkout) => headText(checkout),
  WORKING_TREE: ({ repository }) => {
    const tree = readWorkingTree(repository);
    return tree.ok ? tree.value.state : "unknown";
  },
  REPOSITORY: ({ root }) => root,
  NOW: ({ clock }) => formatTimestamp(clock.now()),
};

/**
 * Fills a prompt from the state of this checkout. Every value is one that a terminal and a model may be
 * given: one safe line for an inline token, safe lines for a block. A value's own braces are left alone.
 *
 * @param context composes the context document, for the token of that name.
 * @throws MajordomusError 10 when the prompt has a token that nothing fills, or one in a wrong place.
 */
export function renderPrompt(checkout: Checkout, prompt: PromptFile, context: () => string): string {
  const [fault, ...others] = judgeTokens(prompt);
  if (fault !== undefined) {
    const more = others.length === 0 ? "" : `; and ${others.length} more`;
    throw new MajordomusError({
      code: "prompt.token",
      exit: EXIT.finding,
      subject: `${prompt.path}:${fault.line}`,
      message: `${fault.message}${more}`,
      remedy: "correct the prompt; `majordomus doctor` names every such token",
    });
  }
  const here = readTaskHere(checkout);
  const task = ownTaskOf(here);
  const doubt = taskDoubt(here);
  const filled = new Map<InlineToken, string>();
  const valueOf = (token: InlineToken): string => {
    const said = unknown(token, doubt) ?? INLINE[token](checkout, task);
    const value = filled.get(token) ?? inert(clip(said, VALUE_CHARACTERS));
    filled.set(token, value);
    return value;
  };
  return prompt.body
    .replace(/^\r?\n/, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const block = blockTokenOf(line);
      if (block !== undefined) return renderBlock(block, checkout, task, context);
      return [fillInline(line, valueOf)];
    })
    .join("\n");
}
