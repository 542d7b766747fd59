import type { CompletionNode, Word } from "./model.ts";
import { pathText } from "./model.ts";

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function described(words: readonly Word[]): string {
  return words
    .map(({ text, summary }) => quoted(`${text.replaceAll(":", String.raw`\:`)}:${summary}`))
    .join(" ");
}

/** A completion script for zsh: to be put on the fpath as `_majordomus`, or sourced. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  const steps = nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      ${pathText(path)}) place=${pathText(path)} ;;`);
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ text, value }) => {
      if (value === undefined) return [];
      const action = value.directory ? "_files -/" : `compadd -- ${value.choices.join(" ")}`;
      return [`    ${pathText(path)}:${text}) ${action}; return ;;`];
    }),
  );
  const known = nodes.map(
    (node) =>
      `    ${quoted(pathText(node.path))}) known=(${described(node.words)}); options=(${described(node.options)}) ;;`,
  );
  const directories = nodes
    .filter((node) => node.directories)
    .map(({ path }) => `  [[ $place == ${pathText(path)} ]] && _files -/`);
  return [
    "#compdef majordomus majordomus-cli",
    "_majordomus() {",
    "  local place='' index previous",
    "  local -a known options",
    "  for ((index = 2; index < CURRENT; index++)); do",
    '    case "$place/${words[index]}" in',
    ...steps,
    "    esac",
    "  done",
    "  previous=${words[CURRENT-1]}",
    '  case "$place:$previous" in',
    ...values,
    "  esac",
    '  case "$place" in',
    ...known,
    "  esac",
    "  (( ${#known} )) && _describe -t commands command known",
    ...directories,
    "  _describe -t options option options",
    "}",
    'if [[ "${funcstack[1]}" == _majordomus ]]; then',
    '  _majordomus "$@"',
    "else",
    "  compdef _majordomus majordomus majordomus-cli",
    "fi",
    "",
  ].join("\n");
}
