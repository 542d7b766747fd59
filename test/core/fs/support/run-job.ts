import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundleProgram } from "../../../support/bundle.ts";
import type { Job } from "./disk-worker.ts";

/** The bundled program that does one job of the tests of core/fs. */
export function diskWorker(): string {
  return bundleProgram(join(import.meta.dirname, "disk-worker.ts"));
}

/** Starts a job in a process of its own, which does not outlive the test. */
export function startJob(job: Job): ChildProcess {
  const child = spawn(process.execPath, [diskWorker(), JSON.stringify(job)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

export interface JobEnd {
  status: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

/** Waits for the end of a process. */
export async function endOf(child: ChildProcess): Promise<JobEnd> {
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (status, signal) => resolve({ status, signal, stderr }));
  });
}

export async function runJob(job: Job): Promise<JobEnd> {
  return endOf(startJob(job));
}

const AT_ONCE = 3;
const FAR_TOO_MANY = 60;

/**
 * Runs a job again and again, killed before its first disk operation, its second, and so on, until it ends
 * by itself; each time in the place that `prepare` makes, which `verify` then judges.
 *
 * @param from the first operation to die at.
 * @returns how many operations there were to die at.
 */
export async function killAtEveryOperation<Place>(
  prepare: () => { place: Place; job: Job },
  verify: (place: Place, killedBefore: number | undefined) => void,
  from = 1,
): Promise<number> {
  for (let first = from; first < FAR_TOO_MANY; first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => first + index);
    const runs = await Promise.all(
      numbers.map(async (number) => {
        const { place, job } = prepare();
        return { number, place, end: await runJob({ ...job, fault: `kill@${number}` }) };
      }),
    );
    for (const { number, place, end } of runs) {
      const killed = end.signal === "SIGKILL";
      if (!killed && end.status !== 0) throw new Error(`operation ${number}: ${end.stderr}`);
      verify(place, killed ? number : undefined);
    }
    const whole = runs.find(({ end }) => end.signal === null);
    if (whole) return whole.number - 1;
  }
  throw new Error("the job never came to its end");
}
