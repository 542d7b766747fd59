import type { CommandDeclaration } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { createParser, findNamed, helpText } from "../parser.ts";

/**
 * The help of the command that `words` name.
 *
 * @throws MajordomusError 2 for words that name none.
 */
export function helpOf(table: readonly CommandDeclaration[], words: readonly string[]): string {
  const exists = (depth: number): boolean =>
    table.some(({ path }) => words.slice(0, depth).every((word, index) => path[index] === word));
  const unknown = words.find((_word, index) => !exists(index + 1));
  if (unknown !== undefined) {
    throw usageError({ message: `unknown command '${unknown}'`, remedy: "`majordomus help` lists them" });
  }
  const parser = createParser(table, { onChosen: () => undefined, width: 100 });
  return helpText(findNamed(parser, words));
}
