import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUp } from "../../../src/core/ledger/balance.ts";

const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"));
const set = (values: readonly string[]): Set<string> => new Set(values);

describe("addUp", () => {
  it("puts every distinct id into exactly one column", () => {
    fc.assert(
      fc.property(ids, ids, ids, ids, (started, closed, recovered, open) => {
        const balance = addUp({
          started: set(started),
          closed: set(closed),
          recovered: set(recovered),
          open: set(open),
        });
        expect(balance.closed + balance.recovered + balance.open + balance.unaccounted).toBe(balance.started);
        expect(balance.started).toBe(set([...started, ...closed, ...recovered, ...open]).size);
        expect(balance.agrees).toBe(balance.unaccounted === 0);
      }),
    );
  });

  it("counts a close that was killed as open, and a recovered one once", () => {
    const balance = addUp({
      started: set(["a", "b"]),
      closed: set(["a", "b"]),
      recovered: set(["b"]),
      open: set(["a"]),
    });
    expect(balance).toMatchObject({ started: 2, open: 1, recovered: 1, closed: 0, unaccounted: 0 });
  });

  it("does not hide an id that only the ledger saw start", () => {
    const balance = addUp({ started: set(["a"]), closed: set([]), recovered: set([]), open: set([]) });
    expect(balance).toMatchObject({ unaccounted: 1, agrees: false });
  });
});
