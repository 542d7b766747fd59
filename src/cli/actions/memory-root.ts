import { resolve } from "node:path";
import { reasonOf } from "../../core/base/error.ts";
import { DEFAULT_ROOTS } from "../../core/capsule/install-root.ts";
import { MemoryRootError } from "../../core/capsule/memory-declaration.ts";
import { resolveMemoryRoot } from "../../core/capsule/memory-root.ts";
import type { MemoryRoot } from "../../core/capsule/memory-root.ts";
import { quoteValue } from "../../core/capsule/quote.ts";
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

/** Prints where memory lies. */
export function printMemoryRoot({ directory, output }: CommandContext, words: readonly string[]): number {
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
    const base = call.root === undefined || call.root.trim() === "" ? "" : resolve(directory, call.root);
    const memory = resolveMemoryRoot(base, { allowMissing: switches.has("--allow-missing") });
    if (switches.has("--json")) {
      const { root, relative, source, ledgers } = memory;
      output.json({ root, relative, source, ledgers });
    } else for (const line of linesOf(memory, switches)) output.line(line);
    return 0;
  } catch (error) {
    const line = reasonOf(error);
    output.token(error instanceof MemoryRootError ? line : `MEMORY-ROOT: ${quoteValue(line, 400)}`);
    return FAILED;
  }
}
