import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Spending } from "../../src/core/capsule/spend.ts";
import { runConsole } from "../../src/tui/main.ts";
import type { Ask } from "../../src/tui/main.ts";

/**
 * A console on made-up data, for pseudo-terminals: it answers each capability from `answers.json` in the
 * directory that its first argument names, watches that directory, and notes every question in
 * `calls.jsonl`. An answer may be `{ "$error": … }`, or have a `$delay` in milliseconds; one with `$spendings` is not
 * stopped, and notes what of it is given back.
 */
const [directory = ".", ...flags] = process.argv.slice(2);

interface Special {
  $error?: { code: string; exit: 13; message: string };
  $delay?: number;
  $throw?: string;
  $spendings?: Spending[];
  value?: unknown;
}

// For tests that send signals.
writeFileSync(join(directory, "pid"), String(process.pid));

/** A home directory that breaks whatever draws it, once a file named `trap` lies in the directory. */
const trap = {
  toString(): string {
    if (existsSync(join(directory, "trap"))) throw new Error("a pane fell into the trap");
    return "/home/mira";
  },
};
const home = flags.includes("--trap") ? (trap as unknown as string) : "/home/mira";

const ask: Ask = {
  async run(root, id, input, options = {}) {
    appendFileSync(join(directory, "calls.jsonl"), `${JSON.stringify({ root, id, input })}\n`);
    const answers: Record<string, unknown> = JSON.parse(
      readFileSync(join(directory, "answers.json"), "utf8"),
    );
    const answer = answers[id];
    const special = (typeof answer === "object" && answer !== null ? answer : {}) as Special;
    if (special.$delay !== undefined) {
      const { signal } = options;
      const stops = signal === undefined || special.$spendings !== undefined ? {} : { signal };
      options.onProgress?.({ done: 2, total: 5, what: "records" });
      await sleep(special.$delay, undefined, stops);
    }
    if (special.$throw !== undefined) {
      setImmediate(() => {
        throw new Error(special.$throw);
      });
    }
    if (special.$error !== undefined) return { ok: false, error: special.$error };
    if (answer === undefined)
      return { ok: false, error: { code: "absent", exit: 13, message: `no answer for ${id}` } };
    const value = special.$delay === undefined ? answer : special.value;
    const spendings = special.$spendings;
    return { ok: true, value, ...(spendings === undefined ? {} : { spendings }) };
  },
};

ask.giveBack = async (root, spendings) => {
  await sleep(20);
  const input = spendings.map(({ name }) => name);
  appendFileSync(join(directory, "calls.jsonl"), `${JSON.stringify({ root, id: "given back", input })}\n`);
  return "given back";
};

const numberAfter = (flag: string): number | undefined => {
  const index = flags.indexOf(flag);
  return index < 0 ? undefined : Number(flags[index + 1]);
};
const width = numberAfter("--width");
const height = numberAfter("--height");
const roots = flags.filter((flag) => flag.startsWith("/"));

process.exitCode = await runConsole({
  roots: roots.length > 0 ? roots : ["/home/mira/app"],
  ask,
  watch: () => Promise.resolve({ directories: [], files: [join(directory, "answers.json")], pollSeconds: 1 }),
  environment: { ...process.env, HOME: home },
  clock: { now: () => Date.parse("2026-09-04T18:00:00Z") },
  once: flags.includes("--once"),
  plain: flags.includes("--plain"),
  ascii: flags.includes("--ascii"),
  ...(width === undefined ? {} : { width }),
  ...(height === undefined ? {} : { height }),
});
