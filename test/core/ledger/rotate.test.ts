import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { appendEvents } from "../../../src/core/ledger/append.ts";
import { isRotationPending, ledgerFiles, readLedgerFiles } from "../../../src/core/ledger/files.ts";
import { parseLine } from "../../../src/core/ledger/line.ts";
import { sessionLines } from "../../../src/core/ledger/read.ts";
import { rotateLedger } from "../../../src/core/ledger/rotate.ts";
import { ENVELOPE, decision, joined, ledgerIn, linesOf, makeLedger } from "./support/ledger.ts";
import type { TestLedger } from "./support/ledger.ts";
import { runLedgerJob } from "./support/run-ledger-job.ts";

const UTC = "20260904T153733Z";
const DIGITS = Array.from({ length: 10 }, (_, index) => `${index}`);
const LINES = DIGITS.map((text) => decision(text, { session: "s-1" }));

afterEach(() => injectFaults(undefined));

function rotate(target: TestLedger, keep: number) {
  return rotateLedger(target, { keep, waitMilliseconds: 1000, envelope: { ...ENVELOPE, session: "s-9" } });
}

/** The texts of all decisions that readers find, over archives and ledger, in order. */
function decisions(state: string): string[] {
  return readLedgerFiles(state, (files) =>
    files.flatMap((path) => {
      try {
        return linesOf(path);
      } catch {
        return [];
      }
    }),
  )
    .map((text) => parseLine(text)?.fields.get("decision"))
    .filter((text) => typeof text === "string");
}

describe("a rotation", () => {
  it("moves all but the newest lines and says so in the ledger", () => {
    const target = makeLedger(joined(LINES));
    const result = rotate(target, 3);
    const archive = join(target.state, `ledger.${UTC}.jsonl.archived`);
    expect(result).toEqual({ archived: 7, kept: 3, archive });
    expect(linesOf(archive)).toEqual(LINES.slice(0, 7));
    const kept = linesOf(target.ledger);
    expect(kept.slice(0, -1)).toEqual(LINES.slice(7));
    expect(parseLine(kept.at(-1) ?? "")).toMatchObject({ event: "ledger.rotated", session: "s-9" });
    expect(kept.at(-1)).toContain(`"archived":7,"kept":3,"archive":"ledger.${UTC}.jsonl.archived"}`);
    expect(isRotationPending(target.ledger)).toBe(false);
  });

  it("does nothing where there is nothing to move", () => {
    const target = makeLedger(joined(LINES));
    expect(rotate(target, 10)).toEqual({ archived: 0, kept: 10 });
    expect(linesOf(target.ledger)).toEqual(LINES);
    expect(rotate(makeLedger(), 5)).toEqual({ archived: 0, kept: 0 });
  });

  it("never overwrites an archive: the next name is taken, and they are read in their order", () => {
    const target = makeLedger(joined(LINES));
    writeFileSync(join(target.state, `ledger.${UTC}.jsonl.archived`), joined([decision("older")]));
    const names = Array.from({ length: 10 }, () => {
      const { archive } = rotate(target, 1);
      appendEvents(target, [decision("more")], 1000);
      return basename(archive ?? "");
    });
    expect(names[0]).toBe(`ledger.${UTC}-2.jsonl.archived`);
    expect(names[9]).toBe(`ledger.${UTC}-11.jsonl.archived`);
    writeFileSync(join(target.state, "ledger.20260903T000000Z.jsonl.archived"), "");
    expect(ledgerFiles(target.state).map((path) => basename(path))).toEqual([
      "ledger.20260903T000000Z.jsonl.archived",
      `ledger.${UTC}.jsonl.archived`,
      ...names,
      "ledger.jsonl",
    ]);
    expect(decisions(target.state).slice(0, 11)).toEqual(["older", ...DIGITS]);
  });

  it("counts a malformed line as a line, and puts a torn one aside", () => {
    const torn = '{"ts":"2026';
    const target = makeLedger(`${joined(["bad", ...LINES])}${torn}`);
    const result = rotate(target, 10);
    expect(result).toMatchObject({ archived: 1, torn: { bytes: torn.length } });
    expect(readFileSync(result.torn?.keptAt ?? "", "utf8")).toBe(torn);
    expect(linesOf(target.ledger)).toHaveLength(11);
  });

  it("lets the lines of an episode be found across the archives", () => {
    const target = makeLedger(joined(LINES));
    rotate(target, 3);
    const found = readLedgerFiles(target.state, (files) => sessionLines(files, "s-1"));
    expect(found.map(({ fields }) => fields.get("decision"))).toEqual(DIGITS);
    expect(sessionLines(target.ledger, "s-1")).toHaveLength(3);
  });

  it.each(["ENOSPC", "EIO"])(
    "leaves the ledger as it was when the disk refuses with %s, at any point",
    (errno) => {
      let refused = 0;
      for (let operation = 1; operation < 100; operation += 1) {
        const target = makeLedger(joined(LINES));
        injectFaults(parseFaultPlan(`${errno}@${operation}`));
        let failure: unknown;
        try {
          rotate(target, 3);
        } catch (error) {
          failure = error;
        }
        injectFaults(undefined);
        if (failure !== undefined) refused += 1;
        expect(decisions(target.state), `at operation ${operation}`).toEqual(DIGITS);
        if (failure === undefined && !isRotationPending(target.ledger) && operation > 60) break;
      }
      expect(refused).toBeGreaterThan(5);
    },
  );
});

describe("killed before any disk operation", () => {
  it("a rotation leaves every line in exactly one place, and the next one goes on", async () => {
    let killed = 0;
    for (let first = 1; ; first += 3) {
      const runs = await Promise.all(
        [first, first + 1, first + 2].map(async (number) => {
          const target = makeLedger(joined(LINES));
          const job = { action: "rotate", state: target.state, keep: 3, fault: `kill@${number}` } as const;
          return { target, number, end: await runLedgerJob(job) };
        }),
      );
      for (const { target, number, end } of runs) {
        if (end.signal === "SIGKILL") killed += 1;
        else expect(end).toMatchObject({ status: 0, stderr: "" });
        const at = `killed before operation ${number}`;
        expect(decisions(target.state), at).toEqual(DIGITS);
        appendEvents(target, [decision("after")], 5000);
        expect(isRotationPending(target.ledger), at).toBe(false);
        expect(decisions(target.state), at).toEqual([...DIGITS, "after"]);
        rotate(target, 2);
        expect(decisions(target.state), at).toEqual([...DIGITS, "after"]);
        expect(linesOf(target.ledger).length, at).toBe(3);
      }
      if (runs.some(({ end }) => end.signal === null)) break;
    }
    expect(killed).toBeGreaterThan(10);
  });
});

describe("many processes at once", () => {
  it("lose no line, double none and keep each one's order, through rotations", async () => {
    const { state } = makeLedger();
    const writers = [1, 2, 3, 4];
    const ends = await Promise.all(
      writers.map(async (writer) =>
        runLedgerJob({ action: "append", state, writer, lines: 200, rotateEvery: 60, keep: 20 }),
      ),
    );
    for (const end of ends) expect(end).toMatchObject({ status: 0, stderr: "" });
    const found = decisions(state).map((text) => text.split(":").slice(0, 2).map(Number));
    expect(found).toHaveLength(800);
    for (const writer of writers) {
      const numbers = found.filter(([of]) => of === writer).map(([, number]) => number);
      expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    }
    expect(ledgerFiles(state).length).toBeGreaterThan(5);
    const strays = readdirSync(state).filter((name) => /torn|tmp|rotation/.test(name));
    expect(strays).toEqual([]);
    for (const path of ledgerFiles(state)) {
      for (const text of linesOf(path)) expect(() => JSON.parse(text)).not.toThrow();
    }
  });

  it("let a reader that reads meanwhile see each line once", async () => {
    const { state } = makeLedger(joined(LINES));
    const writing = runLedgerJob({ action: "append", state, writer: 1, lines: 150, rotateEvery: 5, keep: 4 });
    const progress = { done: false };
    void writing.finally(() => (progress.done = true));
    while (!progress.done) {
      const seen = decisions(state).filter((text) => !text.includes(":"));
      expect(seen).toEqual(DIGITS);
      await setImmediate();
    }
    expect(await writing).toMatchObject({ status: 0 });
    expect(decisions(ledgerIn(state).state)).toHaveLength(160);
  });
});
