import { Readable } from "node:stream";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createOutput } from "../../src/cli/output.ts";
import type { Sink } from "../../src/cli/output.ts";
import { runProgram } from "../../src/cli/program.ts";
import { fixedClock } from "../../src/core/base/clock.ts";
import { steadyPatience } from "../../src/core/base/patience.ts";
import { systemRandom } from "../../src/core/base/random.ts";

const ROOT = dirname(dirname(import.meta.dirname));

export interface ProgramRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** The instant at which programs run in tests. */
export const NOW: number = Date.UTC(2026, 10, 30, 12, 0, 0);

/** A sink that keeps what is written. */
function keep(): Sink & { text: string } {
  const sink = {
    text: "",
    write: (text: string) => {
      sink.text += text;
      return true;
    },
  };
  return sink;
}

/** Runs one command line in this process, with its own streams and a clock that stands still. */
export async function runLine(
  arguments_: readonly string[],
  options: {
    directory?: string;
    environment?: Record<string, string>;
    stdin?: string;
    /** Standard input is a terminal. */
    terminal?: boolean;
    now?: number;
    /** The entry of the pool's threads. @default the built one */
    worker?: string;
    /** Why nothing can be written to standard output; "" for a reader who left. */
    unheard?: string;
  } = {},
): Promise<ProgramRun> {
  const { unheard } = options;
  const deaf = { text: "", write: () => false, fault: () => (unheard === "" ? undefined : unheard) };
  const stdout = unheard === undefined ? keep() : deaf;
  const stderr = keep();
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    USER: "tester",
    ...options.environment,
  };
  const status = await runProgram(arguments_, {
    directory: options.directory ?? tmpdir(),
    output: createOutput(stdout, stderr),
    environment,
    surroundings: async () => ({
      environment,
      clock: fixedClock(options.now ?? NOW),
      random: systemRandom,
      patience: steadyPatience(5_000),
    }),
    stdin: () =>
      Object.assign(Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]), {
        isTTY: options.terminal === true,
      }),
    program: {
      launcher: join(ROOT, "bin", "majordomus"),
      worker: options.worker ?? join(ROOT, "dist", "worker.cjs"),
      autosave: join(ROOT, "dist", "autosave.cjs"),
    },
    width: () => 100,
  });
  return { status, stdout: stdout.text, stderr: stderr.text };
}
