import { readSync, writeSync } from "node:fs";
import { systemClock } from "../src/core/base/clock.ts";
import { appendEvents } from "../src/core/ledger/append.ts";

// One of several writers: says that it is ready, waits for a word, then appends so many lines, each under its own
// lock.

const [ledger = "", locks = "", writer = "", count = "0"] = process.argv.slice(2);
const target = { ledger, locks, clock: systemClock };
writeSync(1, "ready\n");
readSync(0, Buffer.alloc(1));
for (let number = 0; number < Number(count); number += 1) {
  const line = `{"ts":"2026-09-04T15:37:33Z","event":"task.checkpoint","head":"NONE","branch":"main","by":"majordomus/0.1.0","session":"${writer}","task_id":"none","note":"${number}"}`;
  appendEvents(target, [line], 60_000);
}
