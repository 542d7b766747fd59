import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listDirectory } from "../fs/read.ts";
import { isInScope } from "../labels/scope.ts";
import { isContextDocument } from "../records/context-document.ts";
import { readRecordText } from "../records/record-file.ts";
import { parseFlat } from "../text/flat-yaml.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";
import type { Section } from "./document.ts";
import { DROP_RANK, safe, sectionUnlessEmpty } from "./request.ts";
import type { ContextSources } from "./request.ts";

/** A document of the layer that says something about a part of the repository. */
interface LayerDocument {
  /** Relative to the work tree. */
  path: string;
  title: string;
  /** How deep it lies. */
  depth: number;
  order: number;
  covers: (scopePath: string) => boolean;
}

const MAXIMUM_DEPTH = 12;
const DEFAULT_ORDER = 100;

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The directories of the layer that travel with it; links and the local half are not entered. */
function directoriesBelow(directory: string, local: string, depth: number): string[] {
  if (directory === local || depth > MAXIMUM_DEPTH) return [];
  const children = listDirectory(directory)
    .map((name) => join(directory, name))
    .filter(isDirectory);
  return [directory, ...children.flatMap((child) => directoriesBelow(child, local, depth + 1))];
}

function text(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}

function readDocument(root: string, file: string): LayerDocument | undefined {
  const source = readRecordText(file);
  if (!source.ok || !isContextDocument(source.value)) return undefined;
  const split = splitFrontMatter(source.value);
  const fields = split.ok ? parseFlat(split.value.head) : split;
  if (!fields.ok) return undefined;
  const path = shownPath(root, file);
  const home = dirname(path);
  const paths = fields.value.get("paths");
  const named = Array.isArray(paths) ? paths : [];
  const kind = text(fields.value.get("scope"));
  const order = Number(text(fields.value.get("order")) || DEFAULT_ORDER);
  return {
    path,
    title: text(fields.value.get("title")),
    depth: path.split("/").length,
    order: Number.isFinite(order) ? order : DEFAULT_ORDER,
    covers: (scopePath) => {
      if (kind === "explicit") return isInScope(scopePath, named);
      if (kind === "directory") return scopePath === home || dirname(scopePath) === home;
      return isInScope(scopePath, [home]);
    },
  };
}

/** The context documents that cover these paths, by depth, order and path (work.md, context). */
function documentsFor(checkout: Checkout, scope: readonly string[]): LayerDocument[] {
  const { ai, local } = checkout.layout;
  const names = new Set(checkout.settings.manifest.context.documents);
  return directoriesBelow(ai, local, 0)
    .flatMap((directory) =>
      listDirectory(directory)
        .filter((name) => names.has(name))
        .map((name) => readDocument(checkout.root, join(directory, name))),
    )
    .filter((document) => document !== undefined)
    .filter((document) => scope.some((path) => document.covers(path)))
    .toSorted((a, b) => a.depth - b.depth || a.order - b.order || compareBytewise(a.path, b.path));
}

/** Which documents of the layer are about the scope: their paths, not their texts. */
export function documentSection({ checkout, task, excluded }: ContextSources): Section[] {
  if (task === undefined) return [];
  const documents = documentsFor(checkout, task.scope);
  const maximum = checkout.settings.policy.context.max_list_items;
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
