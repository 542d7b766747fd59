import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { parseFlat, plainOrQuoted } from "../text/flat-yaml.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import { readRecordText } from "./record-file.ts";

const SCHEMA = "context/v1";

export interface ContextDocumentFacts {
  /** Dotted, from the layer's root: `ai.repo.sessions`. */
  id: string;
  title: string;
  /** One sentence; it is the body too. */
  description: string;
}

/** The `README.md` that a directory of the layer carries, `context/v1`: never a record (records.md 1.1). */
export function formatContextDocument(facts: ContextDocumentFacts): string {
  return [
    "---",
    `schema: ${SCHEMA}`,
    `id: ${plainOrQuoted(facts.id)}`,
    "kind: context",
    `title: ${plainOrQuoted(facts.title)}`,
    `description: ${plainOrQuoted(facts.description)}`,
    "status: active",
    "scope: subtree",
    "paths: []",
    'providers: ["*"]',
    "composition: extend",
    "order: 100",
    "supersedes: []",
    "---",
    "",
    facts.description,
    "",
  ].join("\n");
}

/** True for a context document, of whatever version: every reader of a record directory passes it by. */
export function isContextDocument(source: string): boolean {
  const split = splitFrontMatter(source);
  if (!split.ok) return false;
  const fields = parseFlat(split.value.head);
  if (!fields.ok) return false;
  const schema = fields.value.get("schema");
  return (
    typeof schema === "string" && /^context\/v\d+$/.test(schema) && fields.value.get("kind") === "context"
  );
}

/** A context document of the layer: what it says of itself. */
export interface LayerDocumentFields {
  title: string;
  /** `directory`, `subtree` or `explicit`; empty where the document does not say. */
  scope: string;
  paths: readonly string[];
  order: number;
}

const DEFAULT_ORDER = 100;
const OPENS_FRONT_MATTER = /^---\r?(?:\n|$)/;

/** What front matter has and prose below a rule has not: `---` also begins a text for people. */
const NAMES_ITSELF = /^(?:schema|kind):/mu;

/**
 * Reads a file that stands in a context document's place.
 *
 * @returns the document; undefined for a text without front matter, which is nobody's document; a failure with the
 *   reason in one clause for one that cannot be read, is of another schema, or names itself and does not parse.
 */
export function readContextDocument(path: string): Result<LayerDocumentFields | undefined, string> {
  const source = readRecordText(path);
  if (!source.ok) return source;
  if (!OPENS_FRONT_MATTER.test(source.value)) return ok(undefined);
  const split = splitFrontMatter(source.value);
  if (!split.ok) return NAMES_ITSELF.test(source.value) ? failed(split.error) : ok(undefined);
  const { head } = split.value;
  const fields = parseFlat(head, HEAD_FIRST_LINE);
  if (!fields.ok)
    return NAMES_ITSELF.test(head) ? failed(`its front matter: ${fields.error}`) : ok(undefined);
  if (fields.value.size === 0) return ok(undefined);
  const text = (key: string): string => {
    const value = fields.value.get(key);
    return typeof value === "string" ? value : "";
  };
  const schema = text("schema");
  if (schema !== SCHEMA) {
    return failed(
      schema === "" ? "its front matter names no schema" : `its schema is ${schema}, not ${SCHEMA}`,
    );
  }
  if (text("kind") !== "context") return failed("its kind is not context");
  const paths = fields.value.get("paths");
  const order = Number(text("order") || DEFAULT_ORDER);
  return ok({
    title: text("title"),
    scope: text("scope"),
    paths: Array.isArray(paths) ? paths : [],
    order: Number.isFinite(order) ? order : DEFAULT_ORDER,
  });
}
