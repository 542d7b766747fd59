import { parseFlat, plainOrQuoted } from "../text/flat-yaml.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";

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
    "schema: context/v1",
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
