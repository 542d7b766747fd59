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

interface Call {
  words: string[];
  capsuleId: string | undefined;
  root: string | undefined;
  unknown: string | undefined;
}

function readCall(arguments_: readonly string[]): Call {
  const call: Call = { words: [], capsuleId: undefined, root: undefined, unknown: undefined };
  for (let index = 0; index < arguments_.length; index += 1) {
    const word = arguments_[index] ?? "";
    if (word === "--capsule-id") call.capsuleId = arguments_[(index += 1)];
    else if (word === "--root") call.root = arguments_[(index += 1)];
    else if (word.startsWith("--")) call.unknown ??= word;
    else call.words.push(word);
  }
  return call;
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
  const { words, capsuleId, root, unknown } = readCall(arguments_);
  const [verb, named] = words;
  if (unknown !== undefined) return warn(`unknown argument ${quoteValue(unknown, 120)}`);
  if (verb === "example") return output.block(JSON.stringify(EXAMPLE_EXTENSION, null, 2));
  if (verb !== "render") return warn(`unknown verb ${quoteValue(verb ?? "", 120)}`);
  const field = FIELDS.find((candidate) => candidate === named);
  if (field === undefined) return warn(`unknown field ${quoteValue(named ?? "", 120)}`);
  const { line, warning } = renderAck(field, readExtension(rootOf(context, root)), capsuleId);
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
