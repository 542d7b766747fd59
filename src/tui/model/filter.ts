import type { HistoryInput } from "../../core/ledger/answers.ts";
import type { Row } from "./rows.ts";

const FIELDS = ["event", "task", "session", "branch"] as const;
type Field = (typeof FIELDS)[number];

export interface Filter {
  fields: Readonly<Partial<Record<Field, string>>>;
  /** The rest, as one text. */
  text: string;
}

/** Reads a filter: `event:task.started session:s-… any text`. */
export function parseFilter(source: string): Filter {
  const fields: Partial<Record<Field, string>> = {};
  const words = source.split(/\s+/).filter((word) => {
    const colon = word.indexOf(":");
    const field = FIELDS.find((name) => name === word.slice(0, colon));
    if (field === undefined || colon === word.length - 1) return word !== "";
    fields[field] = word.slice(colon + 1);
    return false;
  });
  return { fields, text: words.join(" ") };
}

/** The filter as a question to the whole ledger. */
export function historyInput(filter: Filter, limit: number): HistoryInput {
  return { ...filter.fields, ...(filter.text === "" ? {} : { text: filter.text }), limit };
}

/** Rows that hold the text, whatever its case; fields are looked for like any other text. */
export function filterRows(rows: readonly Row[], source: string): readonly Row[] {
  const { fields, text } = parseFilter(source);
  const wanted = [...Object.values(fields), text]
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "");
  return wanted.length === 0 ? rows : rows.filter((row) => wanted.every((part) => row.search.includes(part)));
}
