import { join } from "node:path";
import type { Checkout } from "../../checkout/checkout.ts";
import { promptDirectory } from "../prompts/prompts-here.ts";
import type { SearchKind } from "./kinds.ts";

/** Where a kind's texts lie: whole directories of records, or single files. */
export interface SearchSources {
  directories: { path: string; suffixes: readonly string[] }[];
  files: string[];
}

const MARKDOWN = [".md"];

function records(...paths: string[]): SearchSources {
  return { directories: paths.map((path) => ({ path, suffixes: MARKDOWN })), files: [] };
}

/**
 * Where the texts of a kind lie. The ledger is read by its own files, archives included.
 *
 * @param capsules the directory of capsules, where this checkout has one.
 */
export function sourcesOf(checkout: Checkout, kind: SearchKind, capsules: string | undefined): SearchSources {
  const { layout, settings } = checkout;
  const knowledge = (shelf: string): string => join(layout.ai, settings.manifest.sections.knowledge, shelf);
  const table: Record<SearchKind, () => SearchSources> = {
    handover: () => records(layout.handovers),
    checkpoint: () => records(layout.checkpoints),
    decision: () => ({ directories: [], files: [layout.decisions] }),
    question: () => ({ directories: [], files: [layout.questions] }),
    prompt: () => ({
      directories: [
        { path: promptDirectory(checkout), suffixes: MARKDOWN },
        { path: join(layout.local, "prompts"), suffixes: [".md", ".json"] },
      ],
      files: [],
    }),
    session: () => records(layout.sessions),
    knowledge: () => records(knowledge("curated"), knowledge("candidates")),
    capsule: () => (capsules === undefined ? records() : records(capsules)),
    ledger: () => ({ directories: [], files: [] }),
  };
  return table[kind]();
}
