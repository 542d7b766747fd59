import { writeFileSync } from "node:fs";
import { capsules } from "./capsules.ts";
import { commands } from "./commands.ts";
import { terminal } from "./console.ts";
import { continuity } from "./continuity.ts";
import { divergence } from "./divergence.ts";
import { hooks } from "./hooks.ts";
import { knowledge } from "./knowledge.ts";
import { ledger } from "./ledger.ts";
import { removeBenchDirectories, RESULTS } from "./place.ts";
import type { Bench, Row } from "./row.ts";
import { surfaces } from "./surfaces.ts";
import { work } from "./work.ts";

const BENCHES: readonly Bench[] = [
  hooks,
  commands,
  ledger,
  divergence,
  terminal,
  knowledge,
  continuity,
  capsules,
  work,
  surfaces,
];

function print(row: Row): void {
  const verdict = row.reached ? "reached" : "MISSED ";
  process.stdout.write(
    `${verdict}  ${row.bench.padEnd(11)} ${row.bar}\n${" ".repeat(21)} ${row.goal}: ${row.measured}\n`,
  );
}

const wanted = process.argv.slice(2);
const chosen = wanted.length === 0 ? BENCHES : BENCHES.filter(({ name }) => wanted.includes(name));
if (chosen.length === 0) {
  process.stderr.write(`no such bench; there are ${BENCHES.map(({ name }) => name).join(", ")}\n`);
  process.exit(2);
}
const rows: Row[] = [];
try {
  for (const bench of chosen) {
    for await (const row of bench.run()) {
      print(row);
      rows.push(row);
    }
  }
} finally {
  removeBenchDirectories();
}
writeFileSync(RESULTS, `${JSON.stringify(rows, null, 2)}\n`);
const missed = rows.filter(({ reached }) => !reached).length;
process.stdout.write(`${rows.length} bars, ${missed} missed; written to bench/results.json\n`);
