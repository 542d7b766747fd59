import { join } from "node:path";
import { EXIT, MajordomusError } from "../../base/error.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { listDirectory } from "../../fs/read.ts";
import type { Finding } from "../../labels/terms.ts";
import { judgeTokens, listPrompts } from "../../records/prompt-file.ts";
import type { PromptFile } from "../../records/prompt-file.ts";
import type { PromptsListAnswer } from "../prompt-answers.ts";
import { judgement } from "../judgement.ts";
import { showCommand } from "../../fs/show-command.ts";
import { shellWord } from "../../text/shell-word.ts";

/** Where the layer's prompts lie. */
export function promptDirectory({ layout, settings }: Pick<Checkout, "layout" | "settings">): string {
  return join(layout.ai, settings.manifest.sections.prompts);
}

/**
 * The prompt of a name.
 *
 * @throws MajordomusError 12 when there is none; 10 when what stands in its place is none.
 */
export function findPrompt(checkout: Checkout, name: string): PromptFile {
  const directory = promptDirectory(checkout);
  const { prompts, skipped } = listPrompts(directory);
  const found = prompts.find((prompt) => prompt.name === name);
  if (found !== undefined) return found;
  const broken = skipped.find(({ path }) => path === join(directory, `${name}.md`));
  const known = prompts.map((prompt) => prompt.name).join(", ");
  throw new MajordomusError({
    code: broken === undefined ? "prompt.absent" : "prompt.unreadable",
    exit: broken === undefined ? EXIT.missing : EXIT.finding,
    subject: broken === undefined ? name : broken.path,
    message: broken === undefined ? "is not the name of a prompt" : broken.reason,
    remedy: known === "" ? "the layer has none" : `there are ${known}`,
  });
}

/** Every prompt by name, each with whether it can be rendered, and the files that are none. */
export function describePrompts(checkout: Checkout): PromptsListAnswer {
  const { prompts, skipped } = listPrompts(promptDirectory(checkout));
  return {
    schema: 1,
    prompts: prompts.map((prompt) => ({
      name: prompt.name,
      description: prompt.description,
      ...(prompt.profile === undefined ? {} : { profile: prompt.profile }),
      path: shownPath(checkout.root, prompt.path),
      faults: judgeTokens(prompt).map(({ line, message }) => `line ${line}: ${message}`),
    })),
    skipped: skipped.map(({ path, reason }) => ({ path: shownPath(checkout.root, path), reason })),
  };
}

/** Judges every prompt: its head, its tokens, and the profile that it names. */
export function judgePrompts(level: "FAIL" | "DRIFT", checkout: Checkout): Finding[] {
  const { prompts, skipped } = listPrompts(promptDirectory(checkout));
  const profiles = new Set(
    listDirectory(join(checkout.layout.ai, checkout.settings.manifest.sections.profiles)),
  );
  const show = (path: string): string => `${showCommand(path)} ${shellWord(shownPath(checkout.root, path))}`;
  const faults = [
    ...skipped.map(({ path, reason }) =>
      judgement(level, "prompts", shownPath(checkout.root, path), reason, show(path)),
    ),
    ...prompts.flatMap((prompt) => [
      ...judgeTokens(prompt).map(({ line, message }) =>
        judgement(
          level,
          "prompts",
          `${shownPath(checkout.root, prompt.path)}:${line}`,
          message,
          `majordomus prompt render ${prompt.name}`,
        ),
      ),
      ...(prompt.profile === undefined || profiles.has(`${prompt.profile}.yaml`)
        ? []
        : [
            judgement(
              level,
              "prompts",
              shownPath(checkout.root, prompt.path),
              `names a profile that there is not: ${prompt.profile}`,
              show(prompt.path),
            ),
          ]),
    ]),
  ];
  if (faults.length > 0) return faults;
  return [judgement("OK", "prompts", "prompts", `${prompts.length} prompt(s), every token can be filled`)];
}
