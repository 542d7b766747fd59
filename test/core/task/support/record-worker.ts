import { existsSync } from "node:fs";
import { join } from "node:path";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { randomHex, systemRandom } from "../../../../src/core/base/random.ts";
import { parseTimestamp } from "../../../../src/core/base/time.ts";
import { openCheckout } from "../../../../src/core/checkout/open.ts";
import { withLock } from "../../../../src/core/fs/lock.ts";
import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";
import { Moment } from "../../../../src/core/git/moment.ts";
import { writeCheckpoint } from "../../../../src/core/task/checkpoint.ts";
import { addDecision } from "../../../../src/core/task/decisions.ts";
import { writeHandover } from "../../../../src/core/task/handover.ts";
import { addQuestion, resolveQuestion } from "../../../../src/core/task/questions.ts";
import { startTask } from "../../../../src/core/task/start-task.ts";

/** A process of its own that writes records: `record-worker <root> <act> <name> <how many>`. */
const [root = "", act = "", name = "", times = "1"] = process.argv.slice(2);
const now = parseTimestamp("2026-09-04T12:00:00Z") ?? 0;
/** Of how many values the end of an id is one: few are drawn twice for certain. */
const chances = Number(process.env["RECORD_CHANCES"] ?? 0x10000);
const drawn = (bytes: number): string =>
  (Number.parseInt(randomHex(bytes), 16) % chances).toString(16).padStart(bytes * 2, "0");
const checkout = await openCheckout(root, {
  environment: { ...process.env, CLAUDE_CODE_SESSION_ID: undefined },
  clock: { now: () => now },
  random: { hex: (bytes) => (bytes === 2 ? drawn(bytes) : systemRandom.hex(bytes)) },
  patience: steadyPatience(60_000),
});

const moment = new Moment(checkout.repository, checkout.head);
const HANDOVER = `# Objective\n${name}\n# Current State\nb\n# Next Action\nc\n`;
const ACTS: Record<string, (number: number) => unknown> = {
  decision: (number) => addDecision(checkout, { title: `${name} ${number}`, why: "because" }, {}),
  question: (number) => addQuestion(checkout, `${name} ${number}?`, {}),
  resolve: (number) => resolveQuestion(checkout, { substring: `${name} ${number}?`, answer: "yes" }, {}),
  checkpoint: (number) => writeCheckpoint(checkout, `${name} ${number}`, {}, moment),
  handover: () => writeHandover(checkout, HANDOVER, { close: true }, {}, moment),
  start: (number) =>
    startTask(checkout, { task: `${name} ${number}`, scope: ["."], profile: "routine" }, {}, moment),
};
/** A task with a decision and a question; the last one stays active. */
ACTS["task"] = (number) => {
  for (const step of ["start", "decision", "question"]) ACTS[step]?.(number);
  if (number + 1 < Number(times)) ACTS["handover"]?.(number);
};

/** Holds locks until the file `release` stands in the repository's git directory. */
function hold(names: readonly string[]): void {
  const [first, ...others] = names;
  if (first === undefined) {
    process.stdout.write("held\n");
    while (!existsSync(join(root, ".git", "release")))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    return;
  }
  withLock(join(checkout.layout.locks, first), { waitMilliseconds: 10_000 }, () => hold(others));
}
ACTS["hold"] = () => hold(name.split(","));

const faults = process.env["RECORD_FAULT"];
if (faults !== undefined) injectFaults(parseFaultPlan(faults));
for (let number = 0; number < Number(times); number += 1) {
  ACTS[act]?.(number);
  process.stdout.write(`${name} ${number}\n`);
}
