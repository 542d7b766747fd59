import * as z from "zod/mini";
import { SEARCH_KINDS } from "./kinds.ts";

const text = z.string();
const Kind = z.enum(SEARCH_KINDS);

export const SearchInput = z.strictObject({
  /** Taken literally, whatever the case of its letters; one line. */
  text: z
    .string()
    .check(z.minLength(1), z.maxLength(1000), z.regex(/^[^\r\n\0]+$/, "must be one line of text")),
  /** All of them when not given. */
  kinds: z.optional(z.array(Kind)),
  /** Only what belongs to this task. */
  task: z.optional(text),
  /** The first so many; 10,000 when not given. */
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
});
export type SearchInput = z.infer<typeof SearchInput>;

export const SearchAnswer = z.object({
  schema: z.literal(1),
  /** By kind, then by path, then by line. */
  matches: z.array(
    z.object({
      kind: Kind,
      path: text,
      line: z.int(),
      /** The line as it stands; a surface makes it safe to show. */
      text: text,
    }),
  ),
  total: z.int(),
  /** How many matches the limit left out. */
  cut: z.int(),
  /** How many files were looked through. */
  files: z.int(),
  /** What stands there and could not be looked through. */
  skipped: z.array(z.object({ path: text, reason: text })),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
