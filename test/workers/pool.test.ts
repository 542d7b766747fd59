import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createPool } from "../../src/workers/pool.ts";
import { work } from "../../src/workers/work.ts";
import { newPlace } from "../support/checkout.ts";
import { scratchDirectory } from "../support/scratch.ts";

const pool = createPool({ entry: fileURLToPath(new URL("../../dist/worker.cjs", import.meta.url)) });
afterAll(() => pool.close());

const READS: readonly [id: string, input: object][] = [
  ["lifecycle.episodes", {}],
  ["lifecycle.recovery", {}],
  ["lifecycle.closed", {}],
  ["continuity.state", {}],
  ["history.query", { limit: 50 }],
  ["recover.plan", { subject: "all" }],
];

describe("the worker pool", () => {
  it("gives the same answer as this process, for every heavy reading", async () => {
    const place = await newPlace(new Date().toISOString());
    await place.fire("start", "one");
    await place.fire("end", "one", { reason: "clear", closes: true });
    await place.fire("start", "two");
    for (const [id, input] of READS) {
      const here = await work(place.root, id, input, { environment: process.env });
      const there = await pool.run(place.root, id, input);
      expect(there, id).toEqual(structuredClone(here));
      expect(here.ok, id).toBe(true);
    }
  });

  it("brings an error across with its code, status and subject", async () => {
    const answer = await pool.run("/", "lifecycle.episodes", {});
    expect(answer).toMatchObject({ ok: false, error: { code: "repository.absent", exit: 2 } });
    expect(await pool.run("/", "no.such", {})).toMatchObject({ ok: false });
  });

  it("answers a cancelled question instead of throwing, and goes on", async () => {
    const place = await newPlace();
    const answer = await pool.run(place.root, "lifecycle.episodes", {}, { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect(await pool.run(place.root, "lifecycle.episodes", {})).toMatchObject({ ok: true });
  });

  it("reports progress of what it does", async () => {
    const place = await newPlace("2026-09-01T00:00:00Z");
    await place.fire("start", "one", { processId: process.pid });
    const seen: string[] = [];
    const answer = await pool.run(
      place.root,
      "recover.apply",
      { subject: "episodes", older_than: "0s" },
      { onProgress: ({ what }) => seen.push(what) },
    );
    // Its worker is this process, so there is nothing to recover, and nothing is claimed.
    expect(answer).toMatchObject({ ok: true, value: { state: "nothing" } });
    expect(seen).toEqual([]);
  });

  it("says so when no thread can be started; once it can, only what is asked then is done", async () => {
    const directory = scratchDirectory();
    const [entry, log] = [join(directory, "entry.cjs"), join(directory, "log")];
    const starting = createPool({ entry });
    const signal = new AbortController().signal;
    try {
      for (const options of [{}, { signal }, { signal, reads: true }]) {
        const answers = [1, 2, 3].map((number) => starting.run("/", "recover.apply", { number }, options));
        for (const answer of await Promise.all(answers)) {
          expect(answer).toMatchObject({ ok: false, error: { code: "pool.start", exit: 13 } });
        }
      }
      writeFileSync(
        entry,
        `exports.runWork = ({ input }) => {
          require("node:fs").appendFileSync(${JSON.stringify(log)}, JSON.stringify(input) + "\\n");
          return { ok: true, value: input };
        };`,
      );
      const answer = await starting.run("/", "recover.apply", { number: 4 });
      expect(answer).toEqual({ ok: true, value: { number: 4 } });
      expect(readFileSync(log, "utf8")).toBe('{"number":4}\n');
    } finally {
      await starting.close();
    }
  });
});
