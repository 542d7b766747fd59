import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";
import { LockTimeout } from "../../../../src/core/fs/lock.ts";
import { appendEvents } from "../../../../src/core/ledger/append.ts";
import { rotateLedger } from "../../../../src/core/ledger/rotate.ts";
import { ENVELOPE, decision, ledgerIn } from "./ledger.ts";

/** One job for a process of its own. */
export type LedgerJob = { state: string; fault?: string } & (
  | { action: "rotate"; keep: number }
  | { action: "append"; writer: number; lines: number; rotateEvery: number; keep: number }
);

function run(job: LedgerJob): void {
  const target = ledgerIn(job.state);
  if (job.fault !== undefined) injectFaults(parseFaultPlan(job.fault));
  const order = { waitMilliseconds: 60_000, envelope: ENVELOPE };
  if (job.action === "rotate") {
    rotateLedger(target, { ...order, keep: job.keep });
    return;
  }
  for (let number = 1; number <= job.lines; number += 1) {
    const padding = number % 20 === 0 ? "x".repeat(70_000) : "";
    appendEvents(target, [decision(`${job.writer}:${number}:${padding}`)], 60_000);
    if (number % job.rotateEvery === 0) rotateLedger(target, { ...order, keep: job.keep });
  }
}

try {
  run(JSON.parse(process.argv[2] ?? "") as LedgerJob);
} catch (error) {
  process.stderr.write(error instanceof LockTimeout ? `lock: ${error.message}\n` : `${String(error)}\n`);
  process.exitCode = 1;
}
