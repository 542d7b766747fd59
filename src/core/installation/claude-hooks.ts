import { posix } from "node:path";

/** One event that Claude Code is asked to report, and how (decisions.md 1.15). */
export interface HookedEvent {
  event: string;
  /** Which sources; absent where all are meant. */
  matcher?: string;
  timeoutSeconds: number;
  /** Without it a session is not seen whole. */
  essential: boolean;
}

export const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;

export const HOOKED_EVENTS: readonly HookedEvent[] = [
  { event: "SessionStart", matcher: START_SOURCES.join("|"), timeoutSeconds: 10, essential: true },
  { event: "UserPromptSubmit", timeoutSeconds: 5, essential: true },
  { event: "Stop", timeoutSeconds: 5, essential: true },
  { event: "StopFailure", timeoutSeconds: 5, essential: false },
  { event: "SubagentStart", timeoutSeconds: 5, essential: false },
  { event: "SubagentStop", timeoutSeconds: 5, essential: false },
  { event: "PreCompact", timeoutSeconds: 5, essential: true },
  { event: "PostCompact", timeoutSeconds: 5, essential: false },
  { event: "SessionEnd", timeoutSeconds: 10, essential: true },
  { event: "Notification", timeoutSeconds: 5, essential: false },
];

/** How a hook starts the program: the interpreter without a shell, or the project's own shim. */
export type Launcher = { kind: "program"; interpreter: string; script: string } | { kind: "shim" };

export interface HandlerEntry {
  type: "command";
  command: string;
  args?: string[];
  timeout: number;
}

export interface HookGroup {
  matcher?: string;
  hooks: HandlerEntry[];
}

const PROVIDER = "claude-code";
export const SHIM_PATH = ".claude/hooks/majordomus";
/** The shell puts the directory in: it may have blanks. */
const SHIM_COMMAND = `"\${CLAUDE_PROJECT_DIR}"/${SHIM_PATH}`;

function argumentsOf(event: string): string[] {
  return ["hook", event, "--provider", PROVIDER];
}

/** What stands in a settings file for one event. */
export function groupOf({ event, matcher, timeoutSeconds }: HookedEvent, launcher: Launcher): HookGroup {
  const handler: HandlerEntry =
    launcher.kind === "program"
      ? {
          type: "command",
          command: launcher.interpreter,
          args: [launcher.script, ...argumentsOf(event)],
          timeout: timeoutSeconds,
        }
      : {
          type: "command",
          command: [SHIM_COMMAND, ...argumentsOf(event)].join(" "),
          timeout: timeoutSeconds,
        };
  return { ...(matcher !== undefined && { matcher }), hooks: [handler] };
}

/** What a settings file should hold: a group for each event. */
export function wantedGroups(launcher: Launcher): Map<string, HookGroup> {
  return new Map(HOOKED_EVENTS.map((hooked) => [hooked.event, groupOf(hooked, launcher)]));
}

/** A handler that an installation of ours wrote, today's or an older one's. */
export interface OurHandler {
  launcher: Launcher;
  timeout: number | undefined;
  /** Command and arguments as one text: what Claude Code takes two hooks for the same by. */
  identity: string;
}

const PROGRAM_NAME = /^majordomus(?:-cli)?(?:\.[cm]?js)?$/;
const OLD_SCRIPT = /(?:^|[\\/])majordomus[\\/](?:.*[\\/])?hook\.[cm]?js$/;

/**
 * Tells whether a handler of an event is ours: it runs our program (by name, or the script that is installed
 * now) with the arguments that we give it. An older form named the provider before the event.
 *
 * @param script the program's path, known to be ours whatever its name.
 */
export function readOurHandler(handler: unknown, script?: string): OurHandler | undefined {
  if (typeof handler !== "object" || handler === null) return undefined;
  const { command, args, timeout } = handler as Record<string, unknown>;
  if (typeof command !== "string") return undefined;
  const exec = Array.isArray(args);
  if (exec && !args.every((argument) => typeof argument === "string")) return undefined;
  const words = exec ? [command, ...(args as string[])] : splitWords(command);
  const program = words.findIndex((word) => isOurProgram(word, script));
  if (program < 0 || !hasOurArguments(words.slice(program))) return undefined;
  const path = words[program] ?? "";
  const interpreter = words[program - 1];
  return {
    launcher:
      interpreter === undefined || path.endsWith(`/${SHIM_PATH}`)
        ? { kind: "shim" }
        : { kind: "program", interpreter, script: path },
    timeout: typeof timeout === "number" ? timeout : undefined,
    identity: JSON.stringify([command, exec ? args : []]),
  };
}

/** Whether a word of a command line is our program, by its name or its known path. */
export function isOurProgram(word: string, script: string | undefined): boolean {
  if (script !== undefined && word === script) return true;
  return PROGRAM_NAME.test(posix.basename(word.replaceAll("\\", "/"))) || OLD_SCRIPT.test(word);
}

function hasOurArguments([program = "", first, second, third, fourth]: string[]): boolean {
  if (first === "hook") return third === "--provider" && fourth === PROVIDER;
  return OLD_SCRIPT.test(program) && first === PROVIDER && second !== undefined;
}

/** Splits a command line into words as a shell would, as far as quotes and backslashes go. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of line.matchAll(/\s+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]+|./gsu)) {
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = (word ?? "") + unquoted(part);
  }
  if (word !== undefined) words.push(word);
  return words;
}

function unquoted(part: string): string {
  if (part.length > 1 && part.startsWith("'")) return part.slice(1, -1);
  if (part.length > 1 && part.startsWith('"')) return part.slice(1, -1).replaceAll(/\\(["\\$`])/g, "$1");
  return part.length > 1 && part.startsWith("\\") ? part.slice(1) : part;
}
