/** What stands between a tag and its first closer; undefined where either is missing. */
function inside(text: string, tag: string): string | undefined {
  const opener = `<${tag}>`;
  const from = text.indexOf(opener);
  const to = from === -1 ? -1 : text.indexOf(`</${tag}>`, from);
  return to === -1 ? undefined : text.slice(from + opener.length, to).trim();
}

const COMMAND = /^\s*<command-(?:name|message)>/;
const SHELL_INPUT = /^\s*<bash-input>/;
const NAME = /^\/?([\w:.-]{1,80})$/;

/**
 * What a person typed to bring about a row that the tool has put into tags: a slash command with what it was told, or input for the
 * shell behind `!`. A command alone says nothing of the work, and is nobody's request (decisions.md 6).
 *
 * @returns undefined for every other text.
 */
export function typedCommand(text: string): string | undefined {
  if (SHELL_INPUT.test(text)) {
    const input = inside(text, "bash-input") ?? "";
    return input === "" ? undefined : `! ${input}`;
  }
  if (!COMMAND.test(text)) return undefined;
  const name = NAME.exec(inside(text, "command-name") ?? "")?.[1];
  const told = inside(text, "command-args") ?? "";
  return name === undefined || told === "" ? undefined : `/${name} ${told}`;
}
