import { join, resolve } from "node:path";
import { reasonOf } from "../../core/base/error.ts";
import {
  EXAMPLE_EXTENSION,
  EXTENSION_PATH,
  EXTENSION_TOKEN,
  readExtension,
  renderAck,
} from "../../core/capsule/extension.ts";
import { installRootOf } from "../../core/capsule/install-root.ts";
import { quoteValue } from "../../core/capsule/quote.ts";
import { stampOf } from "../../core/fs/read.ts";
import { findRepository } from "../../core/git/repository.ts";
import type { CommandContext } from "../declaration.ts";

/** Whatever happens, a session goes on: the status is always 0 (capsules.md 9.4). */
const ALWAYS = 0;
const FIELDS = ["capsule_ack", "resume_ack"] as const;

const OPTIONS = ["--capsule-id", "--root"] as const;
type Option = (typeof OPTIONS)[number];

interface Call {
  words: string[];
  options: ReadonlyMap<Option, string>;
}

/** @returns the call, or what is wrong with it: nothing of it is passed over. */
function readCall(arguments_: readonly string[]): Call | string {
  const words: string[] = [];
  const options = new Map<Option, string>();
  for (let index = 0; index < arguments_.length; index += 1) {
    const word = arguments_[index] ?? "";
    const option = OPTIONS.find((candidate) => candidate === word);
    if (option !== undefined) {
      const value = arguments_[(index += 1)];
      if (options.has(option)) return `${option} is given twice`;
      // An id may be empty where there is none: what needs one is then held, with its own warning.
      if (value === undefined || value.startsWith("--") || (option === "--root" && value.trim() === ""))
        return `${option} has no value`;
      options.set(option, value);
    } else if (word.startsWith("-")) return `unknown argument ${quoteValue(word, 120)}`;
    else words.push(word);
  }
  const extra = words[words[0] === "render" ? 2 : 1];
  return extra === undefined ? { words, options } : `unknown argument ${quoteValue(extra, 120)}`;
}

/** The working directory when it declares something itself, else the install root around it, when none is named. */
function rootOf({ directory, surroundings }: CommandContext, named: string | undefined): string {
  if (named !== undefined) return resolve(directory, named);
  if (stampOf(join(directory, EXTENSION_PATH)) !== undefined) return directory;
  const top = findRepository(directory, surroundings.environment)?.root ?? directory;
  return installRootOf(surroundings.environment, top);
}

function print(context: CommandContext, arguments_: readonly string[]): void {
  const { output } = context;
  const warn = (what: string): void => output.token(`${EXTENSION_TOKEN} ${what}`);
  const call = readCall(arguments_);
  if (typeof call === "string") return warn(call);
  const { words, options } = call;
  const [verb, named] = words;
  if (verb === "example") return output.block(JSON.stringify(EXAMPLE_EXTENSION, null, 2));
  if (verb !== "render") return warn(`unknown verb ${quoteValue(verb ?? "", 120)}`);
  const field = FIELDS.find((candidate) => candidate === named);
  if (field === undefined) return warn(`unknown field ${quoteValue(named ?? "", 120)}`);
  const extension = readExtension(rootOf(context, options.get("--root")));
  const { line, warning } = renderAck(field, extension, options.get("--capsule-id"));
  // Somebody sends this line as it stands; it was judged and folded when it was read.
  if (line !== null) output.verbatim(`${line}\n`);
  else if (warning !== null) output.token(warning);
}

/** Prints a declared acknowledgement, filled, or the example declaration. */
export function printExtension(context: CommandContext, arguments_: readonly string[]): number {
  try {
    print(context, arguments_);
  } catch (error) {
    context.output.token(`${EXTENSION_TOKEN} ${quoteValue(reasonOf(error), 300)}`);
  }
  return ALWAYS;
}
