import { expect, test } from "vitest";
import { OPERATIONS } from "./support/operations.ts";
import { tryPoints } from "./support/try-points.ts";

test.for(OPERATIONS)(
  "$name killed before any of its disk operations: nothing acknowledged is lost, nothing half is read, the next goes on",
  { timeout: 7_200_000 },
  async (operation) => {
    const tried = await tryPoints(
      operation,
      (point) => `kill@${point}`,
      ({ run }) => run.signal === null,
      ({ run }) => {
        // Killed, or whole: there is nothing between.
        if (run.signal === null) expect(run).toMatchObject({ status: 0, stderr: "" });
        else expect(run.signal).toBe("SIGKILL");
      },
    );
    expect(tried).toBeGreaterThan(2);
  },
);
