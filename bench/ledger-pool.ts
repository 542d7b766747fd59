import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { joinTallies } from "../src/core/ledger/packed-tally.ts";
import { splitLedger } from "../src/core/ledger/ranges.ts";
import type { PackedTally } from "../src/core/ledger/packed-tally.ts";

// A process of its own, so that the memory that it needed can be told: counts a ledger in a pool of two
// threads, again and again, and prints what that took.

const [path = "", runs = "5"] = process.argv.slice(2);
const pool = new Piscina<unknown, PackedTally>({
  filename: fileURLToPath(new URL("ledger-thread.mjs", import.meta.url)),
  name: "tally",
  minThreads: 2,
  maxThreads: 2,
});
const taken: number[] = [];
let lines = 0;
for (let run = 0; run <= Number(runs); run += 1) {
  const begun = performance.now();
  const ranges = splitLedger(path, 2);
  const tallies = await Promise.all(ranges.map((range) => pool.run({ path, range })));
  lines = joinTallies(tallies).lines;
  // The first run starts the threads.
  if (run > 0) taken.push(performance.now() - begun);
}
await pool.destroy();
process.stdout.write(JSON.stringify({ taken, lines, kilobytes: process.resourceUsage().maxRSS }));
