import { dirname } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { isInScope } from "../labels/scope.ts";
import { listContextDocuments } from "../records/context-document-store.ts";
import type { LayerDocuments } from "../records/context-document-store.ts";
import type { Section } from "./document.ts";
import { DROP_RANK, safe, sectionUnlessEmpty } from "./request.ts";
import type { ContextSources } from "./request.ts";
import { withoutTask } from "./work-sections.ts";

type LayerDocument = LayerDocuments["documents"][number];

/** Whether a document of the layer says something about a part of the repository. */
function covers({ scope, paths, path }: LayerDocument, scopePath: string): boolean {
  const home = dirname(path);
  if (scope === "explicit") return isInScope(scopePath, paths);
  if (scope === "directory") return scopePath === home || dirname(scopePath) === home;
  return isInScope(scopePath, [home]);
}

/** How deep a path lies. */
function depthOf(path: string): number {
  return path.split("/").length;
}

/**
 * Which documents of the layer are about the scope, by depth, order and path (work.md, context): their paths, not
 * their texts. What stands in the place of one and is none is named among what was left out.
 */
export function documentSection({ checkout, task, taskDoubt, excluded }: ContextSources): Section[] {
  if (task === undefined) {
    if (taskDoubt !== undefined) {
      excluded.push({ item: "context documents", reason: withoutTask(taskDoubt, "") });
    }
    return [];
  }
  const { layout, settings, root } = checkout;
  const found = listContextDocuments(layout, settings.manifest);
  for (const { path, reason } of found.skipped) {
    excluded.push({ item: `context document ${safe(shownPath(root, path))}`, reason: safe(reason) });
  }
  const documents = found.documents
    .map((document) => ({ ...document, path: shownPath(root, document.path) }))
    .filter((document) => task.scope.some((path) => covers(document, path)))
    .toSorted(
      (a, b) => depthOf(a.path) - depthOf(b.path) || a.order - b.order || compareBytewise(a.path, b.path),
    );
  const maximum = settings.policy.context.max_list_items;
  if (documents.length > maximum) {
    excluded.push({
      item: `${documents.length - maximum} context document(s)`,
      reason: "beyond context.max_list_items",
    });
  }
  return sectionUnlessEmpty({
    id: "documents",
    heading: "CONTEXT DOCUMENTS",
    lines: documents
      .slice(0, maximum)
      .map(({ path, title }) => safe(title === "" ? `- ${path}` : `- ${path} — ${title}`)),
    dropRank: DROP_RANK.documents,
  });
}
