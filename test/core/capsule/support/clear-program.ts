import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { claimNewest } from "../../../../src/core/capsule/spend.ts";
import { resolveMemoryRoot } from "../../../../src/core/capsule/memory-root.ts";
import { treeOf } from "../../../../src/core/capsule/memory-tree.ts";
import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";

// One clear in a process of its own: prints the id that it loaded.
const [, , base = "", now = "", plan] = process.argv;
if (plan !== undefined) injectFaults(parseFaultPlan(plan));
const claimed = claimNewest(treeOf(base, resolveMemoryRoot(base)), {
  now: Number(now),
  patience: steadyPatience(5000),
});
process.stdout.write(`${claimed.loaded?.id ?? "-"}\n`);
