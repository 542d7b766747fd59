import type { Checkout } from "../checkout/checkout.ts";
import { inertLines } from "../text/inert.ts";
import { documentSection } from "./context-documents.ts";
import { assembleContext } from "./document.ts";
import type { ContextDocument, Section } from "./document.ts";
import { checkpointSection, excludeSkipped, handoverSection } from "./record-sections.ts";
import { peerSection } from "./peer-section.ts";
import { safe } from "./request.ts";
import type { ContextRequest, ContextSources } from "./request.ts";
import { gitSection, profileSection, taskSection } from "./state-sections.ts";
import { knownTask } from "./working-task.ts";
import { decisionSection, fileSection, historySection, questionSection } from "./work-sections.ts";

/** Which file each provider reads into every conversation by itself, where the policy names none. */
const ALWAYS_LOADED: Readonly<Record<string, string>> = {
  "claude-code": "CLAUDE.md",
  "gemini-cli": "GEMINI.md",
};
const ALWAYS_LOADED_BY_OTHERS = "AGENTS.md";

function providerLine({ checkout, provider }: ContextSources): string | undefined {
  if (provider === undefined) return undefined;
  const named = checkout.settings.policy.projections.find((projection) => projection.provider === provider);
  const file = named?.target ?? ALWAYS_LOADED[provider] ?? ALWAYS_LOADED_BY_OTHERS;
  return `# for ${safe(provider)}, which always loads ${safe(file)}`;
}

function promptSection({ prompt, excluded }: ContextSources): Section[] {
  if (prompt === undefined) return [];
  if ("refused" in prompt) {
    excluded.push({ item: `prompt ${safe(prompt.name)}`, reason: safe(prompt.refused) });
    return [];
  }
  return [{ id: "prompt", heading: `PROMPT ${safe(prompt.name)}`, lines: inertLines(prompt.text.trimEnd()) }];
}

/** Announces to git every commit that the document will ask about, so that one process answers for all. */
function announce({ record, moment, shelf, task, profile, frozen }: ContextSources): void {
  const handover = shelf.newest("handovers", task?.id)?.candidate.record.head;
  const checkpoint =
    profile?.context.current_state === true
      ? shelf.newest("checkpoints", task?.id)?.candidate.record.head
      : undefined;
  moment.list(task?.head).list(frozen?.head);
  moment.judge([handover, checkpoint, record?.head]);
}

/**
 * Builds the context document from the records and git of this checkout; writes nothing (records.md 11). At
 * most three git processes.
 */
export function buildContext(checkout: Checkout, request: ContextRequest): ContextDocument {
  const sources: ContextSources = { ...request, checkout, ...knownTask(checkout), excluded: [] };
  announce(sources);
  const sections = [
    gitSection(sources),
    ...peerSection(sources),
    ...taskSection(sources),
    ...profileSection(sources),
    ...documentSection(sources),
    questionSection(sources),
    ...decisionSection(sources),
    ...checkpointSection(sources),
    ...handoverSection(sources),
    ...fileSection(sources),
    ...historySection(sources),
    ...promptSection(sources),
  ];
  excludeSkipped(sources);
  if (request.profile?.context.failing_output === true) {
    sources.excluded.push({ item: "failing output", reason: "none is stored" });
  }
  return assembleContext(
    checkout.clock.now(),
    sections,
    sources.excluded,
    request.budgetLines ?? checkout.settings.policy.context.builder_budget_lines,
    providerLine(sources),
  );
}
