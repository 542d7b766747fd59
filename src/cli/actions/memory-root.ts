import { resolve } from "node:path";
import { reasonOf } from "../../core/base/error.ts";
import { DEFAULT_ROOTS, diversionOf } from "../../core/capsule/install-root.ts";
import { MemoryRootError } from "../../core/capsule/memory-declaration.ts";
import { resolveMemoryRoot } from "../../core/capsule/memory-root.ts";
import type { MemoryRoot } from "../../core/capsule/memory-root.ts";
import { quoteValue } from "../../core/capsule/quote.ts";
import { inert } from "../../core/text/inert.ts";
import type { CommandContext } from "../declaration.ts";

/** The one line of a call that cannot be answered, and its exit status, are a contract (capsules.md 10.4). */
const FAILED = 1;

const SWITCHES = [
  "--relative",
  "--allow-missing",
  "--ledgers",
  "--with-ledgers",
  "--json",
  "--default",
] as const;
type Switch = (typeof SWITCHES)[number];

interface Call {
  root: string | undefined;
  switches: ReadonlySet<Switch>;
}

/** @returns the call, or what is wrong with it. */
function readCall(words: readonly string[]): Call | string {
  const switches = new Set<Switch>();
  let root: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const known = SWITCHES.find((candidate) => candidate === word);
    if (known !== undefined) switches.add(known);
    else if (word === "--root") {
      const value = words[index + 1];
      if (root !== undefined) return "--root is given twice";
      if (value === undefined || value.startsWith("--")) return "--root has no value";
      root = value;
      index += 1;
    } else return `unknown argument ${quoteValue(word, 120)}`;
  }
  if (switches.has("--default")) {
    return switches.size > 1 || root !== undefined ? "--default stands alone" : { root, switches };
  }
  return root === undefined ? "--root is missing" : { root, switches };
}

function linesOf({ root, relative, ledgers }: MemoryRoot, switches: Call["switches"]): string[] {
  const shown = (place: { root: string; relative: string }): string =>
    switches.has("--relative") ? place.relative : place.root;
  const own = { root, relative };
  if (switches.has("--with-ledgers")) return [shown(own), shown(ledgers)];
  return [shown(switches.has("--ledgers") ? ledgers : own)];
}

/** The install root that is named, or what diverts its state: that stands first for every reader of memory. */
function baseOf({ directory, surroundings, output }: CommandContext, named: string | undefined): string {
  if (named === undefined || named.trim() === "") return "";
  const { base, diverted } = diversionOf(surroundings.environment, resolve(directory, named));
  if (diverted) output.warn(`AIGENT_STATE_HOME_DIR is set: memory is in ${base}, not in ${named}`);
  return resolve(directory, base);
}

/** Whoever reads a line takes it for the path: one that a line cannot hold as it is must not stand there. */
function requirePrintable(line: string): void {
  if (inert(line) !== line)
    throw new MemoryRootError(line, "has a character that cannot be printed as it is; --json gives it");
}

/** Prints where memory lies. */
export function printMemoryRoot(context: CommandContext, words: readonly string[]): number {
  const { output } = context;
  const call = readCall(words);
  if (typeof call === "string") {
    output.token(`MEMORY-ROOT: ${call}`);
    return FAILED;
  }
  const { switches } = call;
  if (switches.has("--default")) {
    output.line(DEFAULT_ROOTS[0]);
    return 0;
  }
  try {
    const memory = resolveMemoryRoot(baseOf(context, call.root), {
      allowMissing: switches.has("--allow-missing"),
    });
    if (switches.has("--json")) {
      const { root, relative, source, ledgers } = memory;
      output.json({ root, relative, source, ledgers });
      return 0;
    }
    const lines = linesOf(memory, switches);
    for (const line of lines) requirePrintable(line);
    for (const line of lines) output.line(line);
    return 0;
  } catch (error) {
    const line = reasonOf(error);
    output.token(error instanceof MemoryRootError ? line : `MEMORY-ROOT: ${quoteValue(line, 400)}`);
    return FAILED;
  }
}
