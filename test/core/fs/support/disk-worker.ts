// A process of its own for the tests of core/fs: does one job, given as JSON, and prints how it went.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { reasonOf } from "../../../../src/core/base/error.ts";
import { appendLines } from "../../../../src/core/fs/append.ts";
import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";
import { LockTimeout, withLock } from "../../../../src/core/fs/lock.ts";
import { pause } from "../../../../src/core/fs/pause.ts";
import { createExclusive, publishExclusive, writeAtomic } from "../../../../src/core/fs/write.ts";

export type Job = { fault?: string } & (
  | { action: "write"; path: string; text: string }
  | { action: "create"; path: string; text: string }
  | { action: "publish"; directory: string; text: string }
  | { action: "append"; path: string; lines: string[]; kept: string }
  | { action: "locked-append"; lock: string; path: string; line: string; times: number; wait: number }
  | { action: "hold"; lock: string; ready: string; release: string }
  | { action: "contest"; locks: string[]; name: string; results: string; go: string; contenders: number }
);

function waitUntil(condition: () => boolean): void {
  for (let turns = 0; turns < 5_000 && !condition(); turns += 1) pause(8);
}

/** Tries each lock once; whoever gets one holds it until everybody has told how it went. */
function contest(job: Extract<Job, { action: "contest" }>): void {
  writeFileSync(join(job.results, `ready-${job.name}`), "");
  waitUntil(() => existsSync(job.go));
  for (const [round, lock] of job.locks.entries()) {
    const tell = (outcome: string): void =>
      writeFileSync(join(job.results, `${round}-${outcome}-${job.name}`), "");
    const told = (): number => readdirSync(job.results).filter((name) => name.startsWith(`${round}-`)).length;
    try {
      withLock(lock, { waitMilliseconds: 0 }, (held) => {
        tell("won");
        waitUntil(() => told() >= job.contenders);
        held.assertHeld();
      });
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      tell("lost");
      waitUntil(() => told() >= job.contenders);
    }
  }
}

function perform(job: Job): void {
  switch (job.action) {
    case "write":
      return writeAtomic(job.path, job.text, { durable: true });
    case "create":
      createExclusive(job.path, job.text, { durable: true });
      return;
    case "publish":
      publishExclusive(job.directory, (attempt) => `record-${attempt}.md`, job.text, { durable: true });
      return;
    case "append":
      appendLines(job.path, job.lines, { durable: true, keepTorn: (attempt) => `${job.kept}.${attempt}` });
      return;
    case "locked-append":
      for (let time = 0; time < job.times; time += 1) {
        withLock(job.lock, { waitMilliseconds: job.wait }, (lock) => {
          appendLines(job.path, [`${job.line}-${time}`], { lock, keepTorn: (n) => `${job.path}.torn.${n}` });
        });
      }
      return;
    case "hold":
      return withLock(job.lock, { waitMilliseconds: 10_000 }, () => {
        writeFileSync(job.ready, "");
        waitUntil(() => existsSync(job.release));
      });
    case "contest":
      return contest(job);
  }
}

const given = (workerData as Job | null) ?? (JSON.parse(process.argv[2] ?? "{}") as Job);
if (given.fault) injectFaults(parseFaultPlan(given.fault));
try {
  perform(given);
} catch (error) {
  process.stderr.write(reasonOf(error));
  process.exitCode = 1;
}
