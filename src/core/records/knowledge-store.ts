import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Result } from "../base/result.ts";
import { failed } from "../base/result.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { canonicalPath } from "../fs/contain.ts";
import { listDirectory } from "../fs/read.ts";
import { isContextDocument } from "./context-document.ts";
import { KNOWLEDGE_ID, parseKnowledge } from "./knowledge.ts";
import type { KnowledgeRecord } from "./knowledge.ts";
import type { SkippedFile } from "./record-file.ts";
import { readRecordText } from "./record-file.ts";

/** The two halves of the store: what waits for a person, and what a person verified (records.md 1.2). */
export type KnowledgeShelf = "candidates" | "curated";
export const SHELVES: readonly KnowledgeShelf[] = ["candidates", "curated"];

export interface KnowledgeFile {
  path: string;
  shelf: KnowledgeShelf;
  /** The file's name without `.md`: what the record's id must be. */
  stem: string;
  /** The whole text, byte for byte as it was read. */
  text: string;
  record: KnowledgeRecord;
}

export interface KnowledgeStore {
  /** Candidates, then curated ones, each by name. */
  files: KnowledgeFile[];
  /** Files in a record's place that are none. */
  skipped: (SkippedFile & { shelf: KnowledgeShelf })[];
}

type Place = Pick<Checkout, "layout" | "settings">;

const SUFFIX = ".md";

/** The directory of one half of the store. */
export function shelfDirectory({ layout, settings }: Place, shelf: KnowledgeShelf): string {
  return join(layout.ai, settings.manifest.sections.knowledge, shelf);
}

/**
 * Where a record of this id stands, or would. The id becomes a file's name, so it must be one.
 *
 * @throws MajordomusError 12 for text that is no id: nothing can be called so.
 */
export function knowledgePath(place: Place, shelf: KnowledgeShelf, id: string): string {
  if (KNOWLEDGE_ID.test(id)) return join(shelfDirectory(place, shelf), `${id}${SUFFIX}`);
  throw new MajordomusError({
    code: "knowledge.id",
    exit: EXIT.missing,
    subject: id,
    message: "cannot be the id of a knowledge record",
    remedy: "`majordomus knowledge candidates` lists them",
  });
}

/** Where the signature of a record lies: beside it, under a name that no reader of records takes. */
export function signaturePath(recordPath: string): string {
  return `${recordPath.slice(0, -SUFFIX.length)}.sig`;
}

/**
 * Refuses to write below a directory that a link leads elsewhere (promise 25).
 *
 * @throws MajordomusError 15 naming the directory.
 */
export function refuseLinkedShelf(directory: string): void {
  if (canonicalPath(directory) === directory) return;
  throw new MajordomusError({
    code: "knowledge.linked",
    exit: EXIT.refused,
    subject: directory,
    message: "leads somewhere else through a link",
    remedy: "replace the link by a directory",
  });
}

/** Reads one file; undefined where there is none. Fails with the reason in one clause. */
export function readKnowledgeFile(
  path: string,
  shelf: KnowledgeShelf,
  stem: string,
): Result<KnowledgeFile, string> {
  const text = readRecordText(path);
  const record = text.ok ? parseKnowledge(text.value) : text;
  if (!record.ok || !text.ok) return failed(record.ok ? "cannot be read" : record.error);
  return { ok: true, value: { path, shelf, stem, text: text.value, record: record.value } };
}

function listShelf(place: Place, shelf: KnowledgeShelf, store: KnowledgeStore): void {
  const directory = shelfDirectory(place, shelf);
  for (const name of listDirectory(directory)) {
    if (!name.endsWith(SUFFIX) || name.startsWith(".")) continue;
    const path = join(directory, name);
    const stem = name.slice(0, -SUFFIX.length);
    const file = readKnowledgeFile(path, shelf, stem);
    if (file.ok) store.files.push(file.value);
    else if (!isContext(path)) store.skipped.push({ path, shelf, reason: file.error });
  }
}

function isContext(path: string): boolean {
  const text = readRecordText(path);
  return text.ok && isContextDocument(text.value);
}

/** Every record of the store, or of one half of it; what stands in a record's place and is none is named. */
export function listKnowledge(place: Place, shelves: readonly KnowledgeShelf[] = SHELVES): KnowledgeStore {
  const store: KnowledgeStore = { files: [], skipped: [] };
  for (const shelf of shelves) listShelf(place, shelf, store);
  return store;
}
