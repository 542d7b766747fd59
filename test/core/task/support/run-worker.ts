import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../../../support/bundle.ts";

export interface WorkerRun {
  status: number | null;
  signal: NodeJS.Signals | null;
  /** What the worker said was written. */
  acknowledged: string[];
  stderr: string;
}

/**
 * Runs the record worker in a process of its own.
 *
 * @param onLine told every line that it prints, as it comes.
 * @param environment beside the test's own.
 */
export function runWorker(
  arguments_: readonly string[],
  fault?: string,
  onLine: (text: string) => void = () => undefined,
  environment: Record<string, string> = {},
): Promise<WorkerRun> {
  const program = bundleProgram(fileURLToPath(new URL("record-worker.ts", import.meta.url)));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...arguments_], {
      env: { ...process.env, ...environment, ...(fault === undefined ? {} : { RECORD_FAULT: fault }) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8");
      onLine(chunk.toString("utf8"));
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8");
    });
    child.on("close", (status, signal) => {
      resolve({ status, signal, acknowledged: out.split("\n").filter((line) => line !== ""), stderr });
    });
  });
}
