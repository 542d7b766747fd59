import { expect, test } from "vitest";
import { FULL } from "../support/full.ts";
import { OPERATIONS } from "./support/operations.ts";
import { countDiskOperations, tryPoints } from "./support/try-points.ts";
import type { Attempt } from "./support/try-points.ts";

/** What a disk says: full from here on, and a single refusal of two kinds. */
const KINDS = ["ENOSPC@{n}x100000", "EIO@{n}", "EPERM@{n}"] as const;

function planAt(kind: string | undefined, point: number): string {
  return (kind ?? "").replace("{n}", String(point));
}

/** A hook never fails its provider and says nothing; a command says in one line what it could not do. */
function expectTruth(isHook: boolean, { run }: Attempt): void {
  expect(run.signal).toBeNull();
  expect(run.stderr).not.toMatch(/^\s+at /m);
  if (isHook) expect(run).toMatchObject({ status: 0, stderr: "" });
  else expect([0, 10, 13]).toContain(run.status);
}

/** Where a sample ends without having counted: behind the last operation of all but the longest commands. */
const SAMPLED_UP_TO = 600;

test.for(OPERATIONS)(
  "$name on a disk that fails at any of its operations: it ends, and the next event or command completes it",
  { timeout: 7_200_000 },
  async (operation) => {
    const end = FULL ? await countDiskOperations(operation) : SAMPLED_UP_TO;
    // A sample takes the kinds in turn.
    const groups = FULL ? KINDS.map((kind) => [kind]) : [KINDS];
    for (const [number, group] of groups.entries()) {
      let tried = 0;
      await tryPoints(
        operation,
        (point) => planAt(group[(tried += 1) % group.length], point),
        ({ point }) => point > end,
        (attempt) => expectTruth(operation.isHook, attempt),
      );
      expect(tried, KINDS[number]).toBeGreaterThan(2);
    }
  },
);
