import { fixedClock } from "../../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { captureDelta } from "../../../../src/core/capsule/autosave/capture.ts";
import { resolveMemoryRoot } from "../../../../src/core/capsule/memory-root.ts";
import { treeOf } from "../../../../src/core/capsule/memory-tree.ts";
import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";

// One autosave in a process of its own.
const [, , base = "", now = "", session = "", transcript = "", plan] = process.argv;
if (plan !== undefined) injectFaults(parseFaultPlan(plan));
const { outcome, capsule } = captureDelta(
  treeOf(base, resolveMemoryRoot(base)),
  { session, transcript, lastAssistantMessage: undefined },
  { clock: fixedClock(Number(now)), patience: steadyPatience(5000), mayGoOn: () => true },
);
process.stdout.write(`${outcome} ${capsule ?? "-"} ${process.memoryUsage.rss()}\n`);
