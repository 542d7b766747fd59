import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { plainOrQuoted, quoted } from "../text/flat-yaml.ts";
import { clip, inert } from "../text/inert.ts";
import { parseNested } from "../text/nested-yaml.ts";
import type { NestedFields, NestedValue } from "../text/nested-yaml.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import * as z from "zod/mini";

/** What may be written; on reading any `[a-z-]+` is taken, for vocabularies grow (decisions.md 4). */
export const KnowledgeClass = z.enum(["fact", "convention", "constraint", "memory", "lesson"]);
export type KnowledgeClass = z.infer<typeof KnowledgeClass>;
export const Epistemics = z.enum(["observed", "inferred", "decided"]);
export type Epistemics = z.infer<typeof Epistemics>;

export const KNOWLEDGE_SCHEMA = "knowledge/v1";
/** An id is its file's stem, so it is never a path (records.md 2). */
export const KNOWLEDGE_ID: RegExp = /^[a-z][a-z0-9-]{0,99}$/;

/** What the deriver says of one fact: everything that its record's bytes are made of. */
export interface KnowledgeDraft {
  id: string;
  class: KnowledgeClass;
  title: string;
  description: string;
  epistemics: Epistemics;
  /** `YYYY-MM-DD` */
  date: string;
  /** Beside `derived`. */
  tag: string;
  /** References, `session:` first. */
  derivedFrom: readonly string[];
  /** Paths that the record relates to. */
  files: readonly string[];
}

/** A candidate's bytes, exactly as the original's deriver writes them (records.md 12.3). */
export function formatCandidate(draft: KnowledgeDraft): string {
  return [
    "---",
    `schema: ${KNOWLEDGE_SCHEMA}`,
    `id: ${draft.id}`,
    "kind: knowledge",
    `class: ${draft.class}`,
    `title: ${quoted(draft.title)}`,
    `description: ${quoted(draft.description)}`,
    "status: candidate",
    `epistemics: ${draft.epistemics}`,
    `date: ${draft.date}`,
    "tags:",
    "  - derived",
    `  - ${draft.tag}`,
    "provenance:",
    "  origin: extracted",
    "  derived_from:",
    ...draft.derivedFrom.map((reference) => `    - ${plainOrQuoted(reference)}`),
    ...(draft.files.length === 0 ? [] : ["relations:"]),
    ...draft.files.flatMap((path) => [
      "  - type: relates_to",
      `    target: ${plainOrQuoted(`file:${path}`)}`,
    ]),
    "---",
    "",
    `# ${draft.title}`,
    "",
    draft.description,
    "",
  ].join("\n");
}

export interface KnowledgeRelation {
  type: string;
  target: string;
}

/** A record as it stands. What a field should be is judged by its rules; text that is missing is empty. */
export interface KnowledgeRecord {
  id: string;
  kind: string;
  class: string;
  title: string;
  description: string;
  status: string;
  epistemics: string;
  date: string;
  tags: string[];
  origin: string;
  derivedFrom: string[];
  relations: KnowledgeRelation[];
  /** The record that took its place; empty where none did. */
  supersededBy: string;
  /** Everything after the front matter. */
  body: string;
  /** Clauses about fields that have another shape than theirs. */
  misshapen: string[];
  /** Keys that this version does not know: kept, and named. */
  unknown: string[];
}

const KEYS: ReadonlySet<string> = new Set(
  "schema id kind class title description status superseded_by epistemics date tags provenance relations".split(
    " ",
  ),
);
const PROVENANCE_KEYS: ReadonlySet<string> = new Set(["origin", "derived_from"]);
const RELATION_KEYS: ReadonlySet<string> = new Set(["type", "target"]);

/** Takes fields by their shape, and notes what has another one. */
class Shapes {
  readonly misshapen: string[] = [];
  readonly unknown: string[] = [];

  text(fields: NestedFields, key: string): string {
    const value = fields.get(key);
    if (value === undefined || typeof value === "string") return value ?? "";
    this.misshapen.push(`${key}: not a single value`);
    return "";
  }

  texts(fields: NestedFields, key: string): string[] {
    const value = fields.get(key);
    if (value === undefined || value === "") return [];
    if (isTexts(value)) return value;
    this.misshapen.push(`${key}: not a list`);
    return [];
  }

  map(fields: NestedFields, key: string): NestedFields {
    const value = fields.get(key);
    if (value instanceof Map) return value;
    if (value !== undefined && value !== "") this.misshapen.push(`${key}: not a map`);
    return new Map();
  }

  maps(fields: NestedFields, key: string): NestedFields[] {
    const value = fields.get(key);
    if (value === undefined || value === "") return [];
    if (Array.isArray(value) && value.every((item) => item instanceof Map)) return value;
    this.misshapen.push(`${key}: not a list of maps`);
    return [];
  }

  admit(fields: NestedFields, known: ReadonlySet<string>, below = ""): void {
    for (const key of fields.keys()) if (!known.has(key)) this.unknown.push(`${below}${key}`);
  }
}

function isTexts(value: NestedValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Reads a record's text. Fails when it has no front matter, is not of the records' YAML subset, or is of
 * another schema, which is then named. Everything else is taken as it stands and judged by its rules.
 */
export function parseKnowledge(source: string): Result<KnowledgeRecord, string> {
  const split = splitFrontMatter(source);
  if (!split.ok) return split;
  const parsed = parseNested(split.value.head, HEAD_FIRST_LINE);
  if (!parsed.ok) return parsed;
  const fields = parsed.value;
  const schema = fields.get("schema");
  if (schema !== KNOWLEDGE_SCHEMA) {
    const named = typeof schema === "string" ? clip(inert(schema), 40) : "";
    return failed(
      named === ""
        ? "schema: missing"
        : `schema: ${named} is not ${KNOWLEDGE_SCHEMA}, the one that this version reads`,
    );
  }
  const shapes = new Shapes();
  const text = (key: string): string => shapes.text(fields, key);
  const provenance = shapes.map(fields, "provenance");
  const relations = shapes.maps(fields, "relations");
  shapes.admit(fields, KEYS);
  shapes.admit(provenance, PROVENANCE_KEYS, "provenance.");
  for (const relation of relations) shapes.admit(relation, RELATION_KEYS, "relations.");
  return ok({
    id: text("id"),
    kind: text("kind"),
    class: text("class"),
    title: text("title"),
    description: text("description"),
    status: text("status"),
    epistemics: text("epistemics"),
    date: text("date"),
    tags: shapes.texts(fields, "tags"),
    origin: shapes.text(provenance, "origin"),
    derivedFrom: shapes.texts(provenance, "derived_from"),
    relations: relations.map((relation) => ({
      type: shapes.text(relation, "type"),
      target: shapes.text(relation, "target"),
    })),
    supersededBy: text("superseded_by"),
    body: split.value.body.replace(/^\r?\n/, ""),
    misshapen: shapes.misshapen,
    unknown: shapes.unknown,
  });
}
