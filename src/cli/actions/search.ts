import { EXIT } from "../../core/base/error.ts";
import type { ExitStatus } from "../../core/base/error.ts";
import { searchRun } from "../../core/capabilities/search.ts";
import type { SearchInput } from "../../core/health/search/answers.ts";
import { clip } from "../../core/text/inert.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";

type Query = { [Key in keyof SearchInput]: SearchInput[Key] | undefined } & { text: string };

const KIND_WIDTH = 10;
const SHOWN_CHARACTERS = 400;

/**
 * Prints one line for each match: kind, path and line, text.
 *
 * @returns 12 when there is none.
 */
export async function runSearch(context: CommandContext, query: Query): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, searchRun, query);
  const status = answer.total === 0 ? EXIT.missing : EXIT.ok;
  if (json) {
    output.json(answer);
    return status;
  }
  for (const { kind, path, line, text } of answer.matches) {
    output.line(`${kind.padEnd(KIND_WIDTH)} ${path}:${line}: ${clip(text.trim(), SHOWN_CHARACTERS)}`);
  }
  for (const { path, reason } of answer.skipped) output.warn(`${path} was not looked through: ${reason}`);
  if (answer.cut > 0) output.warn(`${answer.cut} more match(es); --limit takes more`);
  return status;
}
