import { expect, test } from "vitest";
import { FULL } from "../support/full.ts";
import { OPERATIONS } from "./support/operations.ts";
import { tryPoints } from "./support/try-points.ts";
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

test.for(OPERATIONS)(
  "$name on a disk that fails at any of its operations: it ends, and the next event or command completes it",
  { timeout: 1_800_000 },
  async (operation) => {
    // A sample takes the kinds in turn; the end is reached when a point lies behind the last operation.
    const kinds = FULL ? KINDS.map((kind) => [kind]) : [KINDS];
    for (const group of kinds) {
      let last = 0;
      await tryPoints(
        operation,
        (point) => {
          last = point;
          return planAt(group[point % group.length], point);
        },
        () => last > (FULL ? 250 : 120),
        (attempt) => expectTruth(operation.isHook, attempt),
      );
    }
  },
);
