import { join } from "node:path";
import type { Layout } from "../checkout/layout.ts";
import { listDirectory, statEntry } from "../fs/read.ts";
import type { Manifest } from "../policy/manifest.ts";
import { readContextDocument } from "./context-document.ts";
import type { LayerDocumentFields } from "./context-document.ts";
import type { SkippedFile } from "./record-file.ts";

const MAXIMUM_DEPTH = 12;

export interface LayerDocuments {
  /** With the absolute path of each. */
  documents: (LayerDocumentFields & { path: string })[];
  /** What stands in the place of one and is none. */
  skipped: SkippedFile[];
}

/** The directories of the layer that travel with it; links and the local half are not entered. */
function directoriesBelow(directory: string, local: string, depth: number): string[] {
  if (directory === local || depth > MAXIMUM_DEPTH) return [];
  const children = listDirectory(directory)
    .map((name) => join(directory, name))
    .filter((path) => statEntry(path)?.isDirectory() === true);
  return [directory, ...children.flatMap((child) => directoriesBelow(child, local, depth + 1))];
}

/** Reads every context document of the layer (records.md 1.1); the names are the manifest's. */
export function listContextDocuments(
  layout: Pick<Layout, "ai" | "local">,
  manifest: Manifest,
): LayerDocuments {
  const names = new Set(manifest.context.documents);
  const found: LayerDocuments = { documents: [], skipped: [] };
  for (const directory of directoriesBelow(layout.ai, layout.local, 0)) {
    for (const name of listDirectory(directory).filter((entry) => names.has(entry))) {
      const path = join(directory, name);
      const read = readContextDocument(path);
      if (!read.ok) found.skipped.push({ path, reason: read.error });
      else if (read.value !== undefined) found.documents.push({ ...read.value, path });
    }
  }
  return found;
}
