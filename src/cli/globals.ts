/** What every command takes, wherever it stands on the command line. */
export const GLOBAL_OPTIONS = [
  { flags: "--repo <dir>", summary: "work on the repository that contains this directory" },
  { flags: "--json", summary: "answer in JSON" },
] as const;

export const HELP_OPTION = {
  flags: "-h, --help",
  summary: "show help; changes nothing, wherever it stands",
} as const;

export const VERSION_OPTION = { flags: "-V, --version", summary: "print the version" } as const;

/** Flags of the program itself, as they are typed. */
export const GLOBAL_FLAGS: readonly string[] = ["--repo", "--json", "--help", "-h", "--version", "-V"];

function beforeTerminator(arguments_: readonly string[]): readonly string[] {
  const end = arguments_.indexOf("--");
  return end === -1 ? arguments_ : arguments_.slice(0, end);
}

/**
 * Whether help is asked for, anywhere. Found before anything is parsed, because a parser would take
 * `--owner --help` as an owner of that name and go on to work.
 */
export function asksForHelp(arguments_: readonly string[]): boolean {
  return beforeTerminator(arguments_).some((argument) => argument === "--help" || argument === "-h");
}

/** Whether answers are wanted in JSON; known before parsing, so that a mistake in the call is answered in it too. */
export function asksForJson(arguments_: readonly string[]): boolean {
  const words = beforeTerminator(arguments_);
  return words.includes("--json") || /(?:^| )--format[= ]json(?: |$)/.test(words.join(" "));
}
