/** The part of a JSON Schema that tells how a text of a query is meant. */
interface Described {
  type?: string;
  items?: Described;
  properties?: Readonly<Record<string, Described>>;
}

function valueOf(text: string, { type }: Described): unknown {
  if (type === "integer" || type === "number") return text.trim() === "" ? text : Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/**
 * The input of a reading from the query of its address: `?limit=5&all=true&kinds=handover&kinds=session`. What
 * does not fit is left as it is, for the input's own schema to refuse by name.
 *
 * @param schema JSON Schema of the input.
 */
export function queryInput(query: URLSearchParams, schema: unknown): Record<string, unknown> {
  const { properties = {} } = schema as Described;
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const described = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
    const texts = query.getAll(name);
    const values = texts.map((text) => valueOf(text, described.items ?? described));
    input[name] = described.type === "array" || values.length > 1 ? values : values[0];
  }
  return input;
}
