import type { CompletionNode } from "./model.ts";
import { pathText } from "./model.ts";

/** A completion script for bash 3.2 and newer. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const steps = nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      "${pathText(path)}") place="${pathText(path)}" ;;`);
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ text, value }) => {
      if (value === undefined) return [];
      const compgen = value.directory ? "-d" : `-W "${value.choices.join(" ")}"`;
      return [`    "${pathText(path)}:${text}") COMPREPLY=($(compgen ${compgen} -- "$current")); return ;;`];
    }),
  );
  const words = nodes.map(({ path, words: own, options }) => {
    const texts = [...own, ...options].map(({ text }) => text).join(" ");
    return `    "${pathText(path)}") words="${texts}" ;;`;
  });
  const directories = nodes
    .filter((node) => node.directories)
    .map(({ path }) => `    "${pathText(path)}") COMPREPLY+=($(compgen -d -- "$current")) ;;`);
  return [
    "# bash completion of majordomus",
    "_majordomus() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local place="" words="" index',
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    '    case "$place/${COMP_WORDS[index]}" in',
    ...steps,
    "    esac",
    "  done",
    '  case "$place:$previous" in',
    ...values,
    "  esac",
    '  case "$place" in',
    ...words,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '  case "$place" in',
    ...directories,
    "  esac",
    "}",
    "complete -F _majordomus majordomus majordomus-cli",
    "",
  ].join("\n");
}
