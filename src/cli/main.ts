import { join } from "node:path";
import { EXIT } from "../core/base/error.ts";
import { VERSION } from "../core/base/version.ts";
import { descriptorSink, terminalWidth } from "./descriptor-sink.ts";
import { currentDirectory } from "./current-directory.ts";
import { createOutput } from "./output.ts";
import { runProgram } from "./program.ts";
import type { Opened } from "../tui/opening.ts";

// The entry of the command line's bundle. What only a command needs is imported by that command.

/** What starts the program hands to it. */
export interface Start {
  /** Keeps what was compiled up to now for the next start. */
  keepCompiled: () => void;
  /** The console's terminal, where it was opened first of all. */
  opened?: Opened;
}

async function runLine(arguments_: readonly string[], { keepCompiled, opened }: Start): Promise<number> {
  const output = createOutput(descriptorSink(1), descriptorSink(2));
  if (arguments_.length === 1 && (arguments_[0] === "--version" || arguments_[0] === "-V")) {
    output.line(VERSION);
    return output.fault() === undefined ? EXIT.ok : EXIT.internal;
  }
  const faults = process.env["MAJORDOMUS_FAULT"];
  if (faults !== undefined && faults !== "") {
    const { injectFaults, parseFaultPlan } = await import("../core/fs/fault.ts");
    injectFaults(parseFaultPlan(faults));
  }
  return runProgram(arguments_, {
    directory: currentDirectory(),
    output,
    environment: process.env,
    surroundings: async () => {
      const { surroundingsOf } = await import("../workers/surroundings.ts");
      return surroundingsOf(process.env);
    },
    stdin: () => process.stdin,
    program: {
      launcher: join(__dirname, "..", "bin", "majordomus"),
      worker: join(__dirname, "..", "bin", "worker.js"),
      autosave: join(__dirname, "autosave.cjs"),
      keepCompiled,
    },
    width: () => terminalWidth() ?? 100,
    ...(opened === undefined ? {} : { opened }),
  });
}

/** Runs the command line that this process was started with. */
export async function main(start: Start): Promise<void> {
  process.exitCode = await runLine(process.argv.slice(2), start);
}
