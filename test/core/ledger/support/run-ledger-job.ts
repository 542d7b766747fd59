import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundleProgram } from "../../../support/bundle.ts";
import type { LedgerJob } from "./ledger-worker.ts";

export interface JobEnd {
  status: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

/** Runs a job in a process of its own, which does not outlive the test, and waits for its end. */
export async function runLedgerJob(job: LedgerJob): Promise<JobEnd> {
  const program = bundleProgram(join(import.meta.dirname, "ledger-worker.ts"));
  const child = spawn(process.execPath, [program, JSON.stringify(job)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (status, signal) => resolve({ status, signal, stderr }));
  });
}
