import type { CommandDeclaration } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { helpText, namedPath } from "../help-text.ts";

/**
 * The help of the command that `words` name.
 *
 * @throws MajordomusError 2 for words that name none.
 */
export function helpOf(
  table: readonly CommandDeclaration[],
  words: readonly string[],
  width: number,
): string {
  const unknown = words[namedPath(table, words).length];
  if (unknown === undefined) return helpText(table, words, width);
  throw usageError({ message: `unknown command '${unknown}'`, remedy: "`majordomus help` lists them" });
}
