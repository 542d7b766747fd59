import { describe, expect, it, vi } from "vitest";
import { followPerson } from "../../src/tui/follow.ts";
import { CLOSED } from "../support/console-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

const SIZE = { columns: 200, rows: 40 };
const REBASED = "1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c";
const MERGED = "9a8b7c6d5e4f30219a8b7c6d5e4f30219a8b7c6d";

describe("the hints of a selected record", () => {
  it("are asked for a commit that is not in this history, and stand below its label", async () => {
    const lost = "aa11bb2".padEnd(40, "0");
    const newest = (CLOSED.newest ?? []).map((one) => ({ ...one, head: lost }));
    const desk = await openDesk(
      {
        "lifecycle.closed": { ...CLOSED, newest },
        "record.hints": { head: lost, rebased_to: REBASED, merged_as: MERGED },
      },
      SIZE,
    );
    const stop = followPerson(desk.store, desk.data, desk.rowsOf);
    desk.press("2", "o", "G");
    await vi.waitFor(() => expect(consoleRows(desk).join("\n")).toContain("rebased_to  1f2e3d4"));
    expect(consoleRows(desk).join("\n")).toContain("merged_as   9a8b7c6");
    const asked = (): unknown[] =>
      desk.ask.calls.filter(({ id }) => id === "record.hints").map(({ input }) => input);
    expect(asked()).toEqual([{ head: lost }]);
    // The newest of them is of this very commit: nothing is asked, and nothing of another one is shown.
    for (let step = 1; step < newest.length; step++) desk.press("k");
    await vi.waitFor(() => expect(consoleRows(desk).join("\n")).not.toContain("rebased_to"));
    expect(asked()).toEqual([{ head: lost }]);
    stop();
  });
});
