import type { CompletionNode, Word } from "./model.ts";
import { pathText } from "./model.ts";

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}

/** A completion script for fish. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const steps = nodes
    .filter(({ path }) => path.length > 0)
    .flatMap(({ path }) => [
      `            case ${pathText(path)}`,
      `                set place ${pathText(path)}`,
    ]);
  const lines = nodes.flatMap((node) => {
    const at = `complete -c majordomus -n '__majordomus_at "${pathText(node.path)}"'`;
    const word = ({ text, summary }: Word): string => `${at} -a ${quoted(text)} -d ${quoted(summary)}`;
    return [
      `${at} ${node.directories ? "-a '(__fish_complete_directories)'" : "-f"}`,
      ...node.words.map(word),
      ...node.options.map(({ text, summary, value }) => {
        const option = `${at} -l ${text.slice(2)} -d ${quoted(summary)}`;
        if (value === undefined) return option;
        if (value.directory) return `${option} -x -a '(__fish_complete_directories)'`;
        return value.choices.length === 0
          ? `${option} -x`
          : `${option} -x -a ${quoted(value.choices.join(" "))}`;
      }),
    ];
  });
  return [
    "# fish completion of majordomus",
    "function __majordomus_at",
    "    set -l place ''",
    "    for word in (commandline -opc)[2..-1]",
    "        switch $place/$word",
    ...steps,
    "        end",
    "    end",
    '    test "$place" = "$argv[1]"',
    "end",
    ...lines,
    "complete -c majordomus-cli -w majordomus",
    "",
  ].join("\n");
}
