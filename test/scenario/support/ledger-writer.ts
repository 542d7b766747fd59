// A process of its own that writes so many lines to a ledger, one at a time, and rotates it now and then.
import { systemClock } from "../../../src/core/base/clock.ts";
import { formatTimestamp } from "../../../src/core/base/time.ts";
import { appendEvents } from "../../../src/core/ledger/append.ts";
import { composeLine } from "../../../src/core/ledger/line.ts";
import { rotateLedger } from "../../../src/core/ledger/rotate.ts";

export interface WriterJob {
  ledger: string;
  locks: string;
  name: string;
  lines: number;
  /** Before which of its lines this writer rotates. */
  rotateBefore: number[];
}

const LARGE = "x".repeat(70 * 1024);
const PATIENCE_MILLISECONDS = 120_000;

const job = JSON.parse(process.argv[2] ?? "{}") as WriterJob;
const target = { ledger: job.ledger, locks: job.locks, clock: systemClock };
const envelope = { head: "NONE", branch: "main", by: "majordomus/0.0.0-test" };

for (let number = 0; number < job.lines; number += 1) {
  const ts = formatTimestamp(systemClock.now());
  if (job.rotateBefore.includes(number)) {
    const order = { keep: 10, waitMilliseconds: PATIENCE_MILLISECONDS, envelope: { ...envelope, ts } };
    rotateLedger(target, order);
  }
  const question = `${job.name} ${number}${number % 20 === 7 ? ` ${LARGE}` : ""}`;
  const line = composeLine({ ...envelope, ts, event: "question.opened" }, { task_id: "none", question });
  appendEvents(target, [line], PATIENCE_MILLISECONDS);
}
