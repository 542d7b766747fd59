import { describe, expect, it } from "vitest";
import { findDuplicates, planDuplicates } from "../../../src/core/episode/plan-duplicates.ts";
import type { ClosedSessionFile } from "../../../src/core/records/session-store.ts";

function record(
  path: string,
  id: string,
  facts: Partial<ClosedSessionFile["session"]> = {},
): ClosedSessionFile {
  return { path, session: { session_id: id, ...facts } as ClosedSessionFile["session"] };
}

describe("records of one episode", () => {
  it("fold into the oldest; of one age, into the one of the smallest path", () => {
    const records = [
      record("c.md", "s-1", { created_at: "2026-09-04T12:00:00Z" }),
      record("alone.md", "s-2"),
      record("b.md", "s-1", { created_at: "2026-09-04T11:00:00Z" }),
      record("a.md", "s-1", { created_at: "2026-09-04T12:00:00Z" }),
      record("y.md", "s-3"),
      record("x.md", "s-3"),
    ];
    for (const order of [records, records.toReversed()]) {
      const found = Object.fromEntries(
        findDuplicates(order).map(({ sessionId, canonical, others }) => [
          sessionId,
          [canonical, ...others].map(({ path }) => path),
        ]),
      );
      expect(found).toEqual({ "s-1": ["b.md", "a.md", "c.md"], "s-3": ["x.md", "y.md"] });
    }
  });

  it("take one without a time for older than any", () => {
    const found = findDuplicates([
      record("a.md", "s-1", { created_at: "2026-09-04T12:00:00Z" }),
      record("b.md", "s-1"),
    ]);
    expect(found[0]?.canonical.path).toBe("b.md");
  });

  it("are planned with what stays and what goes, and only reported where they disagree about the start", () => {
    const start = { started_at: "2026-09-04T10:00:00Z" };
    expect(
      planDuplicates([
        record("a.md", "s-1", start),
        record("b.md", "s-1", start),
        record("c.md", "s-1", start),
        record("d.md", "s-2", start),
        record("e.md", "s-2", { started_at: "2026-09-04T10:00:01Z" }),
        record("f.md", "s-3", start),
      ]),
    ).toEqual({
      actions: [
        {
          id: "records:s-1",
          kind: "records",
          subject: "s-1",
          session_id: "s-1",
          reason: "duplicate records",
          evidence: [
            "3 records carry this id; the oldest stays and takes over the lists and texts of the rest",
          ],
          writes: ["a.md"],
          removes: ["b.md", "c.md"],
        },
      ],
      skipped: [{ subject: "s-2", reason: "has several records that disagree about started_at" }],
    });
  });
});
