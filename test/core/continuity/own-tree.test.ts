import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recallOwnTree } from "../../../src/core/continuity/own-tree.ts";
import { openContinuity } from "../../../src/core/continuity/place.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { listStoreFiles, partOwnTree } from "../../../src/core/continuity/store-files.ts";
import { STORE_REFERENCE } from "../../../src/core/continuity/store.ts";
import { bodyOf, newTeam } from "./support/machines.ts";

/** A machine that published three times, and what it remembers of the last one's tree. */
async function published() {
  const machine = (await newTeam()).machine("macbook");
  for (const text of ["First.", "Second.", "Third."]) {
    await machine.handOver(bodyOf(text));
    await publishHandover(await machine.checkout(), {});
  }
  const { store } = openContinuity(await machine.checkout());
  const cache = join(dirname(store.cache), "continuity-tree.json");
  const tip = (): string => machine.git("rev-parse", STORE_REFERENCE);
  return { machine, store, cache, tip };
}

describe("the tree that was made here last", () => {
  it("is what git lists, and that of no other commit", async () => {
    const { machine, store, tip } = await published();
    const own = recallOwnTree(store, tip());
    expect(own?.entries).toHaveLength(3);
    const listed = listStoreFiles(store.repository, tip(), STORE_REFERENCE);
    if (own !== undefined) expect(partOwnTree(own)).toEqual(listed);
    expect(recallOwnTree(store, machine.git("rev-parse", `${STORE_REFERENCE}~1`))).toBeUndefined();
    expect(recallOwnTree(store, machine.git("rev-parse", "HEAD"))).toBeUndefined();
  });

  it("is not believed with one bit of it changed, cut short or without a record", async () => {
    const { store, cache, tip } = await published();
    const text = readFileSync(cache, "utf8");
    const whole = JSON.parse(text) as { commit: string; entries: unknown[]; beside: unknown[] };
    const right = recallOwnTree(store, tip());
    expect(right).toBeDefined();
    for (const wrong of [
      "",
      "null",
      text.slice(0, -20),
      JSON.stringify({ ...whole, entries: whole.entries.slice(1) }),
      JSON.stringify({ ...whole, entries: [...whole.entries, whole.entries[0]] }),
      JSON.stringify({ ...whole, beside: whole.entries }),
      JSON.stringify({ ...whole, commit: `${whole.commit} ` }),
    ]) {
      writeFileSync(cache, wrong);
      expect(recallOwnTree(store, tip()), wrong).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(255), (at, code) => {
        writeFileSync(cache, text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1));
        const recalled = recallOwnTree(store, tip());
        // A change that says nothing is none: a blank, an escape, a mode that git writes without its zero.
        return recalled === undefined || JSON.stringify(recalled) === JSON.stringify(right);
      }),
      { numRuns: 150 },
    );
  });
});
