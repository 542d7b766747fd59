import { spawnSync } from "node:child_process";

/** A figure over several runs, in milliseconds unless its row says otherwise. */
export interface Figure {
  median: number;
  minimum: number;
  p90: number;
  runs: number;
}

export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), minimum: at(0), p90: at(0.9), runs: sorted.length };
}

export interface Command {
  /** @default this process's own Node */
  program?: string;
  arguments: readonly string[];
  directory?: string;
  input?: string;
  environment?: Readonly<Record<string, string | undefined>>;
  /** Done before each run, outside of what is timed. */
  before?: () => void;
}

/** What every whole process is held against: Node that does nothing. */
export const BARE_NODE: Command = { arguments: ["-e", "0"] };

function once(command: Command): number {
  command.before?.();
  const begun = performance.now();
  const { status, error } = spawnSync(command.program ?? process.execPath, command.arguments, {
    cwd: command.directory,
    input: command.input ?? "",
    env: command.environment ?? process.env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const taken = performance.now() - begun;
  if (error !== undefined) throw error;
  if (status === null) throw new Error(`${command.arguments.join(" ")} was killed`);
  return taken;
}

/**
 * Runs two commands in turn, A B A B …, so that a machine whose speed drifts is unfair to neither.
 *
 * @returns both figures, and the ratio of their medians.
 */
export function compare(
  ours: Command,
  reference: Command,
  runs = 21,
): { ours: Figure; reference: Figure; ratio: number } {
  once(ours);
  once(reference);
  const taken = { ours: [] as number[], reference: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    taken.ours.push(once(ours));
    taken.reference.push(once(reference));
  }
  const figures = { ours: figureOf(taken.ours), reference: figureOf(taken.reference) };
  return { ...figures, ratio: figures.ours.median / figures.reference.median };
}

/** Times something in this process, several times; the first run only warms up. */
export function timed(action: () => void, runs = 7): Figure {
  action();
  const taken: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    action();
    taken.push(performance.now() - begun);
  }
  return figureOf(taken);
}
