import * as z from "zod/mini";
import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { instantOf } from "../boundary/instant.ts";
import { noteInContext } from "../boundary/note-by-hand.ts";
import { previewBriefing } from "../boundary/preview-briefing.ts";
import { profileHere } from "../boundary/profile-here.ts";
import { episodeHere } from "../boundary/work-by-hand.ts";
import { BriefingAnswer, ContextAnswer, ContextInput } from "../context/answers.ts";
import { stampOf } from "../fs/read.ts";
import { findProvider } from "../lifecycle/providers-table.ts";
import { buildContext } from "../context/gather.ts";
import type { ContextRequest } from "../context/request.ts";
import { knownTask } from "../context/working-task.ts";
import { readRecordText } from "../records/record-file.ts";
import { leasePath } from "../serving/lease.ts";
import type { PeerView } from "../serving/peer-board.ts";
import { findWorkingContext, parseWorkingContext } from "../records/working-context.ts";
import { defineCapability } from "./capability.ts";

/** Where the working context of this process's open episode was frozen. */
function frozenHere(checkout: Checkout): ContextRequest["frozen"] {
  const own = episodeHere(checkout);
  const path = own && findWorkingContext(checkout.layout.contexts, own.sessionId);
  const text = path === undefined ? undefined : readRecordText(path);
  const document = text?.ok === true ? parseWorkingContext(text.value) : undefined;
  if (document?.ok !== true) return undefined;
  const { head, branch } = document.value.identity;
  return head === undefined ? undefined : { head, branch };
}

/** A rendered prompt; one that holds the context itself could only hold itself, and is named instead. */
async function promptHere(checkout: Checkout, name: string): Promise<ContextRequest["prompt"]> {
  // Most contexts have no prompt, and what renders one is a part of the program by itself.
  const [{ findPrompt }, { renderPrompt }] = await Promise.all([
    import("../health/prompts/prompts-here.ts"),
    import("../health/prompts/render.ts"),
  ]);
  const prompt = findPrompt(checkout, name);
  if (prompt.body.includes("{{CONTEXT}}")) return { name, refused: "it contains the context itself" };
  try {
    return { name, text: renderPrompt(checkout, prompt, () => "") };
  } catch (error) {
    return { name, refused: reasonOf(error) };
  }
}

/** What the others announced; the worker itself knows what it is at work on. */
async function otherPeers(checkout: Checkout): Promise<readonly PeerView[]> {
  // Most checkouts are asked without a server, and what asks one is a part of the program by itself.
  if (stampOf(leasePath(checkout)) === undefined) return [];
  const { readPeers } = await import("../serving/board-of-server.ts");
  const { peers } = await readPeers(checkout);
  const own = episodeHere(checkout)?.sessionId;
  return peers.filter(({ id, claims }) => id !== own && claims.length > 0);
}

/**
 * The provider of a name: one that is known by it, or that the policy has a projection for.
 *
 * @throws MajordomusError 2 for any other.
 */
function providerNamed({ settings }: Checkout, name: string): string {
  if (settings.policy.projections.some(({ provider }) => provider === name)) return name;
  const known = findProvider(name)?.id;
  if (known !== undefined) return known;
  throw new MajordomusError({
    code: "context.provider",
    exit: EXIT.usage,
    subject: name,
    message: "is no provider that is known here",
    remedy: "`majordomus lifecycle providers` lists them",
  });
}

export const contextBuild = defineCapability({
  id: "context.build",
  title: "What a worker needs to go on, selected by the profile and within a budget of lines",
  effect: "read",
  weight: "light",
  input: ContextInput,
  output: ContextAnswer,
  run: async ({ checkout }, { budget_lines, provider: given, prompt }) => {
    const provider = given === undefined ? undefined : providerNamed(checkout, given);
    const instant = instantOf(checkout);
    const frozen = frozenHere(checkout);
    const added = prompt === undefined ? undefined : await promptHere(checkout, prompt);
    const peers = await otherPeers(checkout);
    const document = buildContext(checkout, {
      ...instant,
      peers,
      profile: await profileHere(checkout),
      ...(frozen === undefined ? {} : { frozen }),
      ...(budget_lines === undefined ? {} : { budgetLines: budget_lines }),
      ...(provider === undefined ? {} : { provider }),
      ...(added === undefined ? {} : { prompt: added }),
    });
    const { task, taskDoubt } = knownTask(checkout);
    const tree = instant.moment.tree();
    return {
      schema: 1 as const,
      generated_at: document.generatedAt,
      ...(provider === undefined ? {} : { provider }),
      git: {
        repository: checkout.root,
        branch: checkout.branch,
        head: headText(checkout),
        working_tree: tree.ok ? tree.value.state : "unknown",
      },
      task:
        task === undefined
          ? null
          : {
              id: task.id,
              task: task.task,
              profile: task.profile,
              outcome: task.outcome,
              scope: task.scope,
            },
      ...(taskDoubt === undefined ? {} : { task_unknown: taskDoubt }),
      sections: document.sections,
      excluded: document.excluded,
      budget: { lines: document.lines, limit: document.limit, dropped: document.dropped },
      over_budget: document.overBudget,
      text: document.text,
    };
  },
});

export const briefingPreview = defineCapability({
  id: "briefing.preview",
  title: "What a session that started here now would be told; nothing is written",
  effect: "read",
  weight: "light",
  input: z.strictObject({}),
  output: BriefingAnswer,
  run: ({ checkout }) => ({ schema: 1 as const, text: previewBriefing(checkout) }),
});

export const sessionNote = defineCapability({
  id: "session.note",
  title: "Append a note to the working context of the asking process's episode",
  effect: "write",
  weight: "light",
  input: z.strictObject({ note: z.string() }),
  output: z.object({ schema: z.literal(1), session_id: z.string(), path: z.string() }),
  run: ({ checkout }, { note }) => ({ schema: 1 as const, ...noteInContext(checkout, note) }),
});

/** What a worker is told and given, and the notes beside it, for the registry. */
export const CONTEXT = [contextBuild, briefingPreview, sessionNote] as const;
