import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { splitFrontMatter } from "./split-front-matter.ts";
import { parseYaml } from "./yaml.ts";

export interface FrontMatter {
  /** Without a prototype; a number that would lose digits stays text. */
  fields: Record<string, unknown>;
  /** The keys as they stand in the file. */
  order: string[];
  body: string;
  /** The text between the fences, byte for byte. */
  raw: string;
}

/**
 * Reads a document's front matter as YAML, bounded and safe as {@link parseYaml} is. An empty head has no
 * fields; a head that is not a map fails. Records in the flat subset are read by `parseFlat` instead.
 */
export function parseFrontMatter(text: string): Result<FrontMatter, string> {
  const split = splitFrontMatter(text);
  if (!split.ok) return split;
  const { head, body } = split.value;
  const parsed = parseYaml(head, { exactNumbers: true });
  if (!parsed.ok) return failed(`front matter: ${parsed.error}`);
  const fields = parsed.value ?? Object.create(null);
  if (!isFields(fields)) return failed("front matter: not a map of keys");
  return ok({ fields, order: Object.keys(fields), body, raw: head });
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
