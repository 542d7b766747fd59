import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claimLease } from "../../src/core/serving/hold-lease.ts";
import { readLease, servingDirectory } from "../../src/core/serving/lease.ts";
import { judgeLease } from "../../src/core/serving/standing.ts";
import { place } from "../core/serving/support.ts";
import { bundleProgram } from "../support/bundle.ts";
import type { HolderJob } from "./support/lease-holder.ts";

/** What changes the disk; a lease's whole life has some twenty of these. */
const CHANGES = "write,rename,link,unlink,mkdir";
const FAR_TOO_MANY = 200;

it("killed before any change of its lease, a server leaves what the next one takes over", () => {
  const program = bundleProgram(join(import.meta.dirname, "support/lease-holder.ts"));
  const { checkout, program: executable } = place();
  const { root, layout, common } = checkout;
  const found = new Set<string>();
  let point = 1;
  for (; point < FAR_TOO_MANY; point += 1) {
    const job: HolderJob = {
      place: { root, layout, common },
      launcher: executable.path,
      plan: `kill@${point}:${CHANGES}`,
    };
    const run = spawnSync(process.execPath, [program, JSON.stringify(job)], { encoding: "utf8" });
    const { standing, replaceable } = judgeLease(checkout, executable);
    found.add(standing);
    expect(replaceable, `${standing} after ${job.plan}`).toBe(true);
    // Nothing waits for a dead process: the next claim has the lease at once, and gives it back.
    const claim = claimLease(checkout, { executable });
    expect("held" in claim, job.plan).toBe(true);
    if ("held" in claim) claim.held.release(1000);
    expect(readLease(checkout)).toEqual({ kind: "absent" });
    expect(readdirSync(servingDirectory(checkout)), job.plan).toEqual([]);
    if (run.stdout === "whole\n") break;
    expect(run.signal, run.stderr).toBe("SIGKILL");
  }
  expect(point).toBeGreaterThan(10);
  expect(point).toBeLessThan(FAR_TOO_MANY);
  expect([...found].toSorted()).toEqual(["absent", "stale"]);
});
