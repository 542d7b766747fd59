import { parseTimestamp } from "../base/time.ts";
import { sectionLines } from "../records/body-sections.ts";
import { KNOWLEDGE_ID } from "../records/knowledge.ts";
import type { KnowledgeRecord } from "../records/knowledge.ts";
import type { KnowledgeFile } from "../records/knowledge-store.ts";
import { clip, inert } from "../text/inert.ts";
import { isTranscriptLine, speakerLineOf } from "./transcript.ts";

const WORD = /^[a-z-]+$/;
const STATUSES: ReadonlySet<string> = new Set(["candidate", "verified", "superseded"]);

/** A day of the calendar as a timestamp; empty where it is none. */
export function dayTimestamp(date: string): string {
  const text = `${date}T00:00:00Z`;
  return parseTimestamp(text) === undefined ? "" : text;
}

/** Whether a person wrote into the record why it is not so. */
export function isRejected(record: KnowledgeRecord): boolean {
  return sectionLines(record.body, "Rejected") !== undefined;
}

function shown(value: string): string {
  return clip(inert(value), 60);
}

type Rule = readonly [broken: boolean, clause: string];

function identityRules({ stem, record }: KnowledgeFile): Rule[] {
  return [
    [record.kind !== "knowledge", "kind: not knowledge"],
    [record.id === "", "id: missing"],
    [record.id !== "" && record.id !== stem, `id: ${shown(record.id)} is not the file's name`],
    [
      record.id !== "" && !KNOWLEDGE_ID.test(record.id),
      "id: not lowercase letters, digits and dashes after a letter",
    ],
    [record.title.trim() === "", "title: missing"],
    [record.description.trim() === "", "description: missing"],
    [!WORD.test(record.class), "class: missing or not a word"],
    [!WORD.test(record.epistemics), "epistemics: missing or not a word"],
    [!STATUSES.has(record.status), "status: not candidate, verified or superseded"],
    [dayTimestamp(record.date) === "", "date: not a day, YYYY-MM-DD"],
    [record.tags.some((tag) => tag.trim() === ""), "tags: an empty one"],
  ];
}

function standingRules({ shelf, record }: KnowledgeFile): Rule[] {
  const superseded = record.status === "superseded";
  return [
    [record.status === "verified" && shelf === "candidates", "status: verified, among the candidates"],
    [record.status === "candidate" && shelf === "curated", "status: candidate, among the curated"],
    [record.status === "verified" && record.origin === "", "provenance: verified without an origin"],
    [
      record.origin === "extracted" && record.derivedFrom.length === 0,
      "provenance: extracted, and derived from nothing",
    ],
    [
      superseded && record.supersededBy === "" && !isRejected(record),
      "superseded_by: neither superseded by a record nor rejected",
    ],
    [!superseded && record.supersededBy !== "", "superseded_by: stands in a record that is not superseded"],
  ];
}

function speechRules({ record }: KnowledgeFile): Rule[] {
  const speaker = speakerLineOf(record.body);
  return [
    [isTranscriptLine(record.title), "title: of the shape of a transcript"],
    [isTranscriptLine(record.description), "description: of the shape of a transcript"],
    [speaker !== undefined, `body: quotes a conversation (${shown(speaker ?? "")})`],
  ];
}

/**
 * What is wrong with a record by itself, one clause each that begins with the field: shapes, identity,
 * vocabulary, standing, no words of a conversation (records.md 12.5). Whether what it names is still there is
 * another question.
 */
export function faultsOf(file: KnowledgeFile): string[] {
  const rules = [...identityRules(file), ...standingRules(file), ...speechRules(file)];
  return [...file.record.misshapen, ...rules.filter(([broken]) => broken).map(([, clause]) => clause)];
}
