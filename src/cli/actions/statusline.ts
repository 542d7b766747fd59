import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { claudeConfigDirectory } from "../../core/installation/claude-config.ts";
import { noteContextFill } from "../../core/capsule/context-fill.ts";
import { readText } from "../../core/fs/read.ts";
import { clip, inert } from "../../core/text/inert.ts";
import type { CommandContext } from "../declaration.ts";
import { readBody } from "../stdin.ts";

/** Set for a delegate, so that a status line that calls us again does not go round in circles. */
const INSIDE = "MAJORDOMUS_STATUSLINE";
const DELEGATE_MILLISECONDS = 2000;
const INPUT_MILLISECONDS = 1000;
const OUTPUT_BYTES = 64 * 1024;
const SETTINGS_BYTES = 8 * 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Our own command, whatever starts it: never a delegate. */
function isOurs(command: string): boolean {
  return /\bmajordomus\b.*\bstatusline\b/s.test(command);
}

/** The status line of other settings, which ours stands before where it is installed for one repository. */
function commandIn(directory: string | undefined): string | undefined {
  if (directory === undefined) return undefined;
  const text = readText(join(directory, "settings.json"), { maximumBytes: SETTINGS_BYTES });
  const command = text.ok ? fieldsOf(parse(text.value)["statusLine"])["command"] : undefined;
  return typeof command === "string" && command.trim() !== "" && !isOurs(command) ? command : undefined;
}

/** A script is run as it wishes to be; one that is not executable, by a shell. */
function scriptCommand(path: string): readonly string[] {
  try {
    accessSync(path, constants.X_OK);
    return [path];
  } catch {
    return ["/bin/sh", path];
  }
}

/** The project whose settings are meant; versions of Claude Code differ in what they say of it. */
function projectOf(payload: Fields, { directory, surroundings }: CommandContext): string | undefined {
  const named = [
    fieldsOf(payload["workspace"])["project_dir"],
    surroundings.environment["CLAUDE_PROJECT_DIR"],
    payload["cwd"],
    directory,
  ];
  return named.find((path): path is string => typeof path === "string" && isAbsolute(path));
}

/** Who draws the line, in the order of who said so last. */
function delegates(
  environment: CommandContext["surroundings"]["environment"],
  named: string | undefined,
  project: string | undefined,
): (readonly string[])[] {
  const config = claudeConfigDirectory(environment);
  const script = environment["AIGENT_STATUSLINE_DELEGATE"];
  const shell = (command: string): readonly string[] => ["/bin/sh", "-c", command];
  const shared = commandIn(project === undefined ? undefined : join(project, ".claude"));
  const personal = commandIn(config);
  const usual = config === undefined ? undefined : join(config, "statusline-command.sh");
  return [
    ...(script === undefined || script.trim() === "" ? [] : [scriptCommand(script)]),
    ...(named === undefined || isOurs(named) ? [] : [shell(named)]),
    ...(shared === undefined ? [] : [shell(shared)]),
    ...(personal === undefined ? [] : [shell(personal)]),
    ...(usual !== undefined && readText(usual, { maximumBytes: SETTINGS_BYTES }).ok
      ? [scriptCommand(usual)]
      : []),
  ];
}

function drawnBy(
  [program = "", ...arguments_]: readonly string[],
  input: string,
  { directory, surroundings }: CommandContext,
): string | undefined {
  const { status, stdout } = spawnSync(program, arguments_, {
    cwd: directory,
    env: { ...surroundings.environment, [INSIDE]: "1" },
    input,
    encoding: "utf8",
    timeout: DELEGATE_MILLISECONDS,
    maxBuffer: OUTPUT_BYTES,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return status === 0 && stdout.trim() !== "" ? stdout : undefined;
}

function ownLine(payload: Fields, used: number | undefined): string {
  const model = fieldsOf(payload["model"])["display_name"];
  const name =
    typeof model === "string" && model.trim() !== "" ? clip(inert(model.trim()), 60) : "model unknown";
  return used === undefined ? name : `${name} | ctx ${Math.round(used)}%`;
}

/**
 * Notes how full the context is, then shows the status line that stood there before, unchanged; without one, a line of
 * our own. Always 0: a status line never disturbs anybody.
 */
export async function showStatusline(context: CommandContext, named: string | undefined): Promise<number> {
  const { environment, clock } = context.surroundings;
  let input = "";
  try {
    input = (await readBody(context.stdin(), { patienceMilliseconds: INPUT_MILLISECONDS })) ?? "";
  } catch {
    // A payload that cannot be read leaves the line without figures.
  }
  const payload = parse(input);
  const percentage = fieldsOf(payload["context_window"])["used_percentage"];
  // JSON can name a number that is none: 1e400 is read as infinite.
  const used = typeof percentage === "number" && Number.isFinite(percentage) ? percentage : undefined;
  const config = claudeConfigDirectory(environment);
  const session = payload["session_id"];
  if (config !== undefined && typeof session === "string" && used !== undefined) {
    try {
      noteContextFill(config, { session, used }, clock);
    } catch {
      // Nobody waits for the figure.
    }
  }
  const chosen =
    environment[INSIDE] === "1" ? [] : delegates(environment, named, projectOf(payload, context));
  const drawn = chosen.length === 0 ? undefined : drawnBy(chosen[0] ?? [], input, context);
  if (drawn === undefined) context.output.line(ownLine(payload, used));
  else context.output.verbatim(drawn);
  return 0;
}

interface Call {
  delegate: string | undefined;
  repository: string | undefined;
  /** Why a word was passed over. */
  faults: string[];
}

function readCall(words: readonly string[]): Call {
  const call: Call = { delegate: undefined, repository: undefined, faults: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const split = /^(--delegate|--repo)(?:=(.*))?$/su.exec(word);
    if (split === null) {
      if (word !== "--json") call.faults.push(`unknown argument ${inert(JSON.stringify(word))}`);
      continue;
    }
    const value = split[2] ?? words[(index += 1)];
    if (value === undefined) call.faults.push(`${word} has no value`);
    else if (split[1] === "--repo") call.repository = value;
    else call.delegate = value;
  }
  return call;
}

/** The same for words as they were typed: none of them is refused. */
export async function showLiterally(context: CommandContext, words: readonly string[]): Promise<number> {
  const { delegate, repository, faults } = readCall(words);
  for (const fault of faults) context.output.warn(`statusline: ${fault}`);
  const directory = resolve(context.directory, repository ?? ".");
  return showStatusline({ ...context, directory }, delegate);
}
